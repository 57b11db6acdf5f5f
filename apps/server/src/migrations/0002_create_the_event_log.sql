-- What a transaction has to tell, written as its last statement. The sequencer takes rows from here, numbers them and
-- puts them into event_batch. Columns are filled from left to right: whoever has an id from the sequence already has a
-- transaction id, which is what lets the sequencer know below which id nothing can appear any more.
create table outbox (
  tx xid8 not null default pg_current_xact_id(),
  id bigint primary key default nextval('outbox_id'),
  organization_id bigint not null,
  -- How many numbers of the log it takes: for some queues one record is several events.
  width integer not null default 1 check (width > 0),
  -- Who gets it, and what it changes about who gets what.
  header json not null,
  -- JSON, kept as text so that nobody parses it on its way. Null for records that are for nodes only.
  event text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0,
        autovacuum_analyze_threshold = 1000000);

-- The newest number of each organization's log, and the newest that was dropped from it.
create table event_head (
  organization_id bigint primary key references organization,
  last_seq bigint not null,
  dropped_seq bigint not null default 0,
  moved_at timestamptz not null default now()
) with (fillfactor = 50);

insert into event_head (organization_id, last_seq) select id, 0 from organization;

-- The log. Numbers are dense within an organization. The parts are dropped when they are old or the log is too large.
create table event_batch (
  part integer not null,
  organization_id bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  -- [[transaction, outbox id, width, header, event], …]; empty for a tick; null where the database lost its newest
  -- commits in a failover and these numbers may have been used for something that no longer exists.
  records text,
  primary key (part, organization_id, last_seq)
) partition by list (part);

create table event_part (
  part integer primary key,
  began_at timestamptz not null default now(),
  -- When the next one began.
  ended_at timestamptz
);

-- One row: which database this log belongs to, so that a copy or a standby that took over is told from the original.
create table event_log (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  system_identifier text not null,
  timeline text not null,
  -- No outbox row at or below this id can appear any more, and none is left.
  outbox_floor bigint not null default 0
);

-- A queue is a cut, a filter and the moment it was last polled; its events are in the log.
create table event_queue (
  id text primary key,
  organization_id bigint not null,
  user_id bigint not null,
  -- The register's position in the log, and the snapshot its state was read with.
  cut_seq bigint not null,
  cut_snapshot pg_snapshot not null,
  options json not null,
  lifespan_seconds integer not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
) with (fillfactor = 70);
create index event_queue_user on event_queue (organization_id, user_id);

-- As role_period, for subscriptions: who was in a stream when a record was written.
create table subscription_period (
  organization_id bigint not null,
  user_id bigint not null,
  stream_id bigint not null,
  from_outbox_id bigint not null,
  to_outbox_id bigint,
  from_message_id bigint not null,
  to_message_id bigint,
  primary key (organization_id, user_id, stream_id, from_outbox_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create unique index subscription_period_open on subscription_period (organization_id, stream_id, user_id)
  where to_outbox_id is null;

-- Answers to calls that came with an Idempotency-Key, kept for a day.
create table idempotent_answer (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  -- Of the endpoint and its parameters: the same key for another call is a mistake.
  fingerprint bytea not null,
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id, key),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index idempotent_answer_created on idempotent_answer (created_at);

-- The first statement of a transaction that changes something for someone: holds the organization's roles, shared or
-- alone, and only then looks at the account, because what it was before the wait may no longer be so.
create function hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint)
returns table (role smallint, is_active boolean, api_key_hash bytea)
language plpgsql volatile as $$
begin
  if alone then
    perform pg_advisory_xact_lock(roles_key);
  else
    perform pg_advisory_xact_lock_shared(roles_key);
  end if;
  return query select u.role, u.is_active, u.api_key_hash from user_account u
    where u.organization_id = organization and u.id = account;
end $$;
