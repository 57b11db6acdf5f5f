-- Users whom an account muted: their messages are read for it from the start, and do not notify it.
create table muted_user (
  organization_id bigint not null,
  user_id bigint not null,
  muted_user_id bigint not null,
  muted_at timestamptz not null default now(),
  primary key (organization_id, user_id, muted_user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, muted_user_id) references user_account (organization_id, id)
);
-- Every send reads who muted its sender.
create index muted_user_by on muted_user (organization_id, muted_user_id, user_id);
