-- Rights of streams, groups in groups, and the role of moderators.

-- The values of rights that differ from their defaults, by name, each with `direct_members` and
-- `direct_subgroups`. Nodes of the previous release evaluate `stream_post_policy`, which is never wider than
-- `can_send_message_group`; the other rights only add to what they allow, except `can_create_topic_group`.
alter table stream add column rights jsonb not null default '{}';

-- Finds the streams in which a group gives rights.
create index stream_with_rights on stream (organization_id) where rights <> '{}';

-- Groups whose members are members of another group. There are no circles.
create table user_group_subgroup (
  organization_id bigint not null,
  group_id bigint not null,
  subgroup_id bigint not null,
  primary key (organization_id, group_id, subgroup_id),
  foreign key (organization_id, group_id) references user_group (organization_id, id) on delete cascade,
  foreign key (organization_id, subgroup_id) references user_group (organization_id, id) on delete cascade
);

-- Finds the groups of an account, and the groups that contain a group.
create index user_group_member_account on user_group_member (organization_id, user_id);
create index user_group_subgroup_parent on user_group_subgroup (organization_id, subgroup_id);

-- 300 are moderators. Nodes of the previous release do not know them: see moderators.ts.
alter table user_account drop constraint user_account_role_check,
  add constraint user_account_role_check check (role in (100, 200, 300, 400, 600));
alter table invitation drop constraint invitation_role_check,
  add constraint invitation_role_check check (role in (100, 200, 300, 400, 600));
