-- The topics that people follow, or unmuted in a muted stream. Muted topics stay in muted_topic, where nodes of
-- the previous release read and write them; those nodes would take any row there for a muted topic.
create table topic_attention (
  organization_id bigint not null references organization (id),
  user_id bigint not null,
  stream_id bigint not null,
  topic text not null,
  folded_topic text not null,
  policy smallint not null check (policy in (2, 3)),
  changed_at timestamptz not null default now(),
  primary key (organization_id, user_id, stream_id, folded_topic),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

-- Finds the followers of a topic without reading the table.
create index topic_attention_topic on topic_attention (organization_id, stream_id, folded_topic, policy, user_id);
create index muted_topic_topic on muted_topic (organization_id, stream_id, folded_topic);

-- Nodes of the previous release mute a topic without deleting its row here.
create function forget_topic_attention() returns trigger language plpgsql set search_path from current as $$
begin
  delete from topic_attention attended
  where attended.organization_id = new.organization_id and attended.user_id = new.user_id
    and attended.stream_id = new.stream_id and attended.folded_topic = new.folded_topic;
  return null;
end $$;
create trigger muted_topic_forgets_attention after insert on muted_topic
  for each row execute function forget_topic_attention();

alter table user_setting
  add automatically_follow_topics_policy smallint not null default 3
    check (automatically_follow_topics_policy between 1 and 4),
  add automatically_unmute_topics_in_muted_streams_policy smallint not null default 2
    check (automatically_unmute_topics_in_muted_streams_policy between 1 and 4),
  add automatically_follow_topics_where_mentioned boolean not null default true;
