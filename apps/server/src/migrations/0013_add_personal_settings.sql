-- How newcomers get to know the screen.
alter table user_setting
  add column tutorial_status text not null default 'waiting' check (tutorial_status in ('waiting', 'started', 'finished')),
  add column seen_hotspots text[] not null default '{}';

-- `word` is what texts are searched for; people see what they wrote, in the order in which they did.
alter table alert_word
  add column spelling text,
  add column id bigint generated always as identity;
update alert_word set spelling = word;
alter table alert_word alter column spelling set not null;

-- What people say of themselves for now; no row for those who say nothing.
create table user_status (
  organization_id bigint not null,
  user_id bigint not null,
  is_away boolean not null,
  status_text text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  check (is_away or status_text <> '')
);

-- Devices that notifications can be sent to.
create table device (
  organization_id bigint not null,
  kind text not null check (kind in ('apple', 'android')),
  token text not null,
  -- Tokens may be longer than what an index holds.
  token_digest bytea not null,
  user_id bigint not null,
  app_id text,
  added_at timestamptz not null default now(),
  -- A device that changes hands no longer gets what is for whoever had it before.
  primary key (organization_id, kind, token_digest),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index device_owner on device (organization_id, user_id, added_at);
