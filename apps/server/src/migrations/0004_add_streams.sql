create table stream (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  -- The name as names are compared. The server makes it: what a database takes for the same letter depends on its locale.
  folded_name text not null,
  description text not null,
  rendered_description text not null,
  invite_only boolean not null,
  history_public_to_subscribers boolean not null,
  stream_post_policy smallint not null check (stream_post_policy between 1 and 3),
  -- Null: as the organization has it; -1: for ever.
  message_retention_days integer check (message_retention_days = -1 or message_retention_days > 0),
  -- The secret part of the address under which mail is posted to the stream.
  email_token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (organization_id, id),
  constraint stream_name_key unique (organization_id, folded_name),
  check (invite_only or history_public_to_subscribers)
);

-- One row for everyone who is or was in a stream. It stays when they leave, and with it their settings.
create table subscription (
  organization_id bigint not null,
  user_id bigint not null,
  stream_id bigint not null,
  is_active boolean not null,
  color text not null,
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  -- Null: as the account has it for all streams.
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  primary key (organization_id, user_id, stream_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);
create index subscription_members on subscription (organization_id, stream_id, user_id) where is_active;

-- Who was in a stream at any moment, whoever they are now: those who still are, those who left later, and of all accounts
-- those whose role changed since.
drop index subscription_period_open;
create unique index subscription_period_open on subscription_period (organization_id, stream_id, user_id)
  include (from_outbox_id) where to_outbox_id is null;
create index subscription_period_ended on subscription_period (organization_id, stream_id, to_outbox_id)
  where to_outbox_id is not null;
create index role_period_began on role_period (organization_id, from_outbox_id);

-- Lists of members leave them out, and there are few.
create index user_account_inactive on user_account (organization_id, id) where not is_active;

-- Messages of each day that is over.
create table stream_traffic (
  organization_id bigint not null,
  stream_id bigint not null,
  day date not null,
  messages integer not null check (messages > 0),
  primary key (organization_id, stream_id, day),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

create table muted_topic (
  organization_id bigint not null,
  user_id bigint not null,
  stream_id bigint not null,
  topic text not null,
  folded_topic text not null,
  muted_at timestamptz not null default now(),
  primary key (organization_id, user_id, stream_id, folded_topic),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);
create index muted_topic_stream on muted_topic (organization_id, stream_id);

-- The streams that everyone new is in.
create table default_stream (
  organization_id bigint not null,
  stream_id bigint not null,
  primary key (organization_id, stream_id),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

-- Streams that someone new may choose together.
create table default_stream_group (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  description text not null,
  primary key (organization_id, id),
  constraint default_stream_group_name_key unique (organization_id, name)
);

create table default_stream_group_stream (
  organization_id bigint not null,
  group_id bigint not null,
  stream_id bigint not null,
  primary key (organization_id, group_id, stream_id),
  foreign key (organization_id, group_id) references default_stream_group (organization_id, id) on delete cascade,
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);
create index default_stream_group_stream_stream on default_stream_group_stream (organization_id, stream_id);
