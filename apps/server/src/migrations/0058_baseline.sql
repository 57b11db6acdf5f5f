-- The tables of the server, in the order of its areas: each area refers only to those before it.
--
-- This file creates the whole schema in an empty database. It replaces the migrations 0001 to 0057, whose
-- numbers existing databases have recorded, so it has the next one. Later migrations are files with higher
-- numbers, and this one never changes. `schema.sql` is the result of all of them. It also has the tables
-- `schema_migration` and `schema_function`, which `migrate.ts` creates before any migration.
--
-- Conventions:
-- - Every table with data of an organization has `organization_id`. Primary keys begin with it and foreign keys
--   include it, so a row cannot refer to a row of another organization.
-- - `*_hash` is a keyed hash, by which a secret is found; `*_sealed` is a value encrypted with the server's
--   secret, which opens only for its own row.
-- - `origin` is the scheme and host that a request called. Links in e-mails about it lead there.
-- - `from_…_id` and `to_…_id` bound a period by ids: from the first one, up to but without the last one.
-- - `ended_at` of a link is set when it is used, replaced, or invalidated.


-- === The server ===

-- The state of the whole server, in one row.
create table server (
  only_row boolean primary key default true check (only_row),
  -- A node with another secret recognizes by it that it must not start.
  secret_fingerprint bytea not null,
  created_at timestamptz not null default now(),
  -- The previous secret. Values that it sealed may exist until secret_rotated_at.
  old_secret_fingerprint bytea,
  -- The key of keyed hashes, sealed with the secret. Null: it is derived from the secret, which never
  -- changed.
  hash_key_sealed bytea,
  -- When the last value of the previous secret was sealed again; null while that is unfinished.
  secret_rotated_at timestamptz,
  -- Since when background jobs wait for the operator, because a backup was restored: the original server may
  -- have sent the same e-mails since, or may still run. Null: jobs run.
  jobs_held_since timestamptz,
  -- When the last complete backup was made, for monitoring; null if there was none.
  backed_up_at timestamptz
);

-- Running nodes and the secrets that they know. The secret changes only when all of them know the new one.
create table node_secret (
  node uuid primary key,
  -- The first bytes of the seals that the node can open, and of those that it makes.
  opens bytea[] not null,
  seals_with bytea not null,
  seen_at timestamptz not null
);

-- Runners of background jobs that report that they are alive. If one stops reporting, its jobs are released
-- and run on another node.
create table job_runner (
  -- The name with which graphile-worker locks jobs.
  id text primary key,
  seen_at timestamptz not null
);

-- Changes of many rows that nodes make in batches while they serve requests.
create table background_migration (
  name text primary key,
  -- Where the next batch begins; null before the first one.
  position jsonb,
  rows_done bigint not null default 0,
  -- An estimate, made when the first batch begins.
  rows_total bigint,
  started_at timestamptz,
  updated_at timestamptz,
  finished_at timestamptz,
  -- The error of the newest batch, if it failed.
  failure text
);

-- Migrations with which older releases cannot run: a node refuses to start unless it has the migration
-- `needs`. Each such migration inserts its own row.
create table schema_requirement (
  migration text primary key,
  needs text not null
);


-- === Organizations ===

-- Communities with their settings. Numbers of settings are the codes of the API.
create table organization (
  id bigint generated always as identity primary key,
  -- Empty for the organization on the root host.
  subdomain text not null unique check (subdomain ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?)?$'),
  name text not null,
  description text not null default '',
  deactivated_at timestamptz,
  email_address_visibility smallint not null default 1 check (email_address_visibility in (1, 3, 4)),
  emails_restricted_to_domains boolean not null default false,
  disallow_disposable_email_addresses boolean not null default true,
  name_changes_disabled boolean not null default false,
  email_changes_disabled boolean not null default false,
  bot_creation_policy smallint not null default 1 check (bot_creation_policy between 1 and 3),
  disabled_authentication_methods text[] not null default '{}',
  created_at timestamptz not null default now(),
  add_emoji_by_admins_only boolean not null default false,
  allow_community_topic_editing boolean not null default true,
  allow_edit_history boolean not null default true,
  allow_message_deleting boolean not null default false,
  allow_message_editing boolean not null default true,
  avatar_changes_disabled boolean not null default false,
  create_stream_policy smallint not null default 1 check (create_stream_policy between 1 and 3),
  default_code_block_language text,
  default_language text not null default 'en',
  default_twenty_four_hour_time boolean not null default false,
  digest_emails_enabled boolean not null default false,
  digest_weekday smallint not null default 1 check (digest_weekday between 0 and 6),
  icon_source text not null default 'external' check (icon_source in ('external', 'uploaded')),
  inline_image_preview boolean not null default true,
  inline_url_embed_preview boolean not null default true,
  invite_by_admins_only boolean not null default false,
  invite_required boolean not null default true,
  invite_to_stream_policy smallint not null default 1 check (invite_to_stream_policy between 1 and 3),
  logo_source text not null default 'default' check (logo_source in ('default', 'uploaded')),
  mandatory_topics boolean not null default false,
  message_content_allowed_in_email_notifications boolean not null default true,
  -- 0: no limit.
  message_content_delete_limit_seconds integer not null default 600
    check (message_content_delete_limit_seconds >= 0),
  message_content_edit_limit_seconds integer not null default 600
    check (message_content_edit_limit_seconds >= 0),
  -- -1: messages are kept forever.
  message_retention_days integer not null default -1
    check (message_retention_days = -1 or message_retention_days > 0),
  night_logo_source text not null default 'default' check (night_logo_source in ('default', 'uploaded')),
  notifications_stream_id bigint,
  plan_type smallint not null default 1 check (plan_type between 1 and 4),
  private_message_policy smallint not null default 1 check (private_message_policy in (1, 2)),
  send_welcome_emails boolean not null default true,
  signup_notifications_stream_id bigint,
  user_group_edit_policy smallint not null default 1 check (user_group_edit_policy in (1, 2)),
  video_chat_provider smallint not null default 1 check (video_chat_provider >= 0),
  -- Days after which an account is no longer new.
  waiting_period_threshold integer not null default 0 check (waiting_period_threshold >= 0),
  -- All versions of a picture have one path. The version is part of its URL, so clients load a new picture.
  icon_version integer not null default 1,
  logo_version integer not null default 1,
  night_logo_version integer not null default 1,
  -- Maximum size of all uploads together, in bytes; null for no limit.
  upload_quota bigint,
  -- Set by the first step of a deletion. From then on the organization cannot be reactivated.
  deletion_began_at timestamptz,
  constraint organization_deletion_check check (deletion_began_at is null or deactivated_at is not null)
);

-- Domains of e-mail addresses that accounts of the organization may have, if it restricts them.
create table organization_domain (
  organization_id bigint not null references organization,
  domain text not null check (domain = lower(domain)),
  allow_subdomains boolean not null,
  -- Clients identify a domain by this number too.
  id bigint generated always as identity,
  primary key (organization_id, domain)
);

-- Patterns whose matches in texts and topics become links. They are applied in the order of their ids.
create table linkifier (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  pattern text not null,
  url_format text not null,
  primary key (organization_id, id),
  constraint linkifier_pattern_key unique (organization_id, pattern)
);

-- Fields of profiles that the organization has defined.
create table profile_field (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  type smallint not null check (type between 1 and 7),
  hint text not null,
  field_data text not null,
  position bigint not null,
  primary key (organization_id, id),
  constraint profile_field_name_key unique (organization_id, name)
);

-- Imports that began and did not end. The transaction of an import deletes its row, so a remaining row
-- belongs to an interrupted import, whose files are to be removed. The organization does not exist yet.
create table organization_import (
  organization_id bigint primary key,
  started_at timestamptz not null default clock_timestamp()
);

-- Organizations that were deleted in the last two days. Rows and files that a request wrote too late are
-- found and removed with it.
create table organization_deletion (
  organization_id bigint primary key,
  deleted_at timestamptz not null default now()
);


-- === Identity ===

-- Accounts of people and bots. They are deleted only with their organization.
create table user_account (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  delivery_email text not null,
  full_name text not null,
  -- 100: owner, 200: administrator, 400: member, 600: guest.
  role smallint not null check (role in (100, 200, 400, 600)),
  is_active boolean not null default true,
  -- Null for people.
  bot_type smallint check (bot_type between 1 and 4),
  bot_owner_id bigint,
  password_hash text,
  api_key_hash bytea not null constraint user_account_api_key_hash_key unique,
  api_key_sealed bytea not null,
  avatar_source text not null default 'external' check (avatar_source in ('external', 'uploaded')),
  avatar_version integer not null default 1,
  timezone text not null default '',
  date_joined timestamptz not null default now(),
  -- When the person's data was erased. The account keeps its id, so that what others wrote still fits
  -- together, and can never be active again.
  erased_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, bot_owner_id) references user_account (organization_id, id),
  check (bot_owner_id is null or bot_type is not null),
  check (bot_type is null or password_hash is null)
);
-- Not valid, as in databases that are older than this file: there, checking all rows would have locked the
-- table.
alter table user_account
  add constraint user_account_erased_check check (erased_at is null or not is_active) not valid;
create unique index user_account_email_key on user_account (organization_id, lower(delivery_email));
create index user_account_bot_owner on user_account (organization_id, bot_owner_id) where bot_owner_id is not null;
create index user_account_owners on user_account (organization_id) where role = 100;
-- Lists of members leave inactive accounts out. There are few of them.
create index user_account_inactive on user_account (organization_id, id) where not is_active;
-- Mentions find an account by its name.
create index user_account_name on user_account (organization_id, lower(full_name));
-- Names of bots are compared in this form, so that full-width letters do not make another name.
create index user_account_comparable_name on user_account (organization_id, lower(normalize(full_name, NFKC)));

-- Accounts of the server itself. They belong to no organization and cannot sign in. They share the sequence
-- of ids, so that an id belongs either to one of them or to a user.
create table system_account (
  id bigint primary key default nextval('user_account_id_seq'),
  email text not null unique,
  full_name text not null
);
insert into system_account (email, full_name) values
  ('notification-bot@oxbow.invalid', 'Notification Bot'),
  ('welcome-bot@oxbow.invalid', 'Welcome Bot');

-- Role periods: times during which an account was active with one role. Comparing ids shows which role an
-- account had when an event or a message was written.
create table role_period (
  organization_id bigint not null,
  user_id bigint not null,
  role smallint not null,
  from_outbox_id bigint not null,
  -- Null while the period lasts.
  to_outbox_id bigint,
  from_message_id bigint not null,
  to_message_id bigint,
  primary key (organization_id, user_id, from_outbox_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create unique index role_period_open on role_period (organization_id, user_id) where to_outbox_id is null;
-- Finds all accounts whose role changed since an event.
create index role_period_began on role_period (organization_id, from_outbox_id);

-- Sign-ins of people in browsers. A session ends when its row is deleted, or at expires_at.
create table session (
  organization_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  -- Keyed hash of the token, which only the browser has.
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  -- Written at most every ten minutes.
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The user chose to stay signed in on this device.
  is_trusted boolean not null,
  user_agent text not null,
  -- The IP address of the last use that was recorded.
  address text not null,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create unique index session_token on session (token_hash);
create index session_account on session (organization_id, user_id);
create index session_expires_at on session (expires_at);

-- Responses of requests that came with an Idempotency-Key, kept for a day.
create table idempotent_answer (
  organization_id bigint not null,
  user_id bigint not null,
  key text not null,
  -- Hash of the endpoint and its parameters: using the key for another request is an error.
  fingerprint bytea not null,
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id, key),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index idempotent_answer_created on idempotent_answer (created_at);


-- === Organizations, continued ===
-- Tables that refer to accounts.

-- Groups of users that are mentioned together.
create table user_group (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  description text not null,
  primary key (organization_id, id),
  constraint user_group_name_key unique (organization_id, name)
);

-- Members of user groups.
create table user_group_member (
  organization_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references user_group (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Ids of custom emoji. An id is taken before the picture is stored, because it is part of the picture's name.
create sequence custom_emoji_id;

-- Emoji that the organization uploaded. Single ones are never deleted: messages and reactions continue to
-- show deactivated ones.
create table custom_emoji (
  organization_id bigint not null references organization,
  id bigint not null,
  name text not null,
  author_id bigint not null,
  -- The name of its picture in the file store.
  file text not null,
  is_deactivated boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, author_id) references user_account (organization_id, id)
);
create unique index custom_emoji_name_key on custom_emoji (organization_id, name) where not is_deactivated;


-- === Sign-in ===

-- Attempts to sign in that failed or are in progress, by the name that was typed, whether or not it has an
-- account.
create table sign_in_failure (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  -- In lower case.
  username text not null,
  -- The address of the caller; of IPv6 the first 64 bits, which belong to one site.
  network cidr not null,
  -- When the password is compared: an attempt may be delayed by some seconds first.
  judged_at timestamptz not null,
  primary key (organization_id, id)
);
create index sign_in_failure_network on sign_in_failure (network, judged_at);
create index sign_in_failure_username on sign_in_failure (organization_id, username, judged_at);

-- Networks from which an account signed in with its password.
create table sign_in_network (
  organization_id bigint not null,
  user_id bigint not null,
  network cidr not null,
  last_at timestamptz not null default now(),
  primary key (organization_id, user_id, network),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Attempts to sign in as earlier releases recorded them. Nodes only delete its rows.
create table login_attempt (
  organization_id bigint not null references organization,
  username text not null,
  attempted_at timestamptz[] not null,
  primary key (organization_id, username)
);


-- === Events ===

-- Ids of outbox rows. They also bound periods.
create sequence outbox_id as bigint;

-- Events that committed transactions wrote and that have no number yet. The sequencer takes rows from here,
-- numbers them and moves them into event_batch.
create table outbox (
  -- Columns are filled from left to right, so a transaction has an id before it takes one from the sequence.
  -- The sequencer relies on it to find the outbox id below which no row can appear any more.
  tx xid8 not null default pg_current_xact_id(),
  id bigint primary key default nextval('outbox_id'),
  organization_id bigint not null,
  -- How many numbers of the log the record takes: for some queues one record becomes several events.
  width integer not null default 1 check (width > 0),
  -- The audience, and the effects on who may see what.
  header json not null,
  -- JSON, stored as text so that PostgreSQL does not parse it. Null for records that only nodes read.
  event text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_analyze_scale_factor = 0,
        autovacuum_analyze_threshold = 1000000);

-- The newest number of each organization's log, and the newest one that was dropped from it. No foreign key:
-- the head of a deleted organization stays for two days, because nodes that still follow the log would take a
-- missing head for a database that was rolled back.
create table event_head (
  organization_id bigint primary key,
  last_seq bigint not null,
  dropped_seq bigint not null default 0,
  moved_at timestamptz not null default now()
) with (fillfactor = 50);

-- The event log in batches of records. Numbers have no gaps within an organization. Partitions are created
-- while the server runs, and dropped when they are old or the log is too large.
create table event_batch (
  part integer not null,
  organization_id bigint not null,
  first_seq bigint not null,
  last_seq bigint not null,
  -- [[transaction, outbox id, width, header, event], …]; empty for a tick. Null for a hole: a failover lost
  -- the newest commits, which may have used these numbers.
  records text,
  -- `part` is last, because every read is by organization and number.
  primary key (organization_id, last_seq, part)
) partition by list (part);
create index event_batch_hole on event_batch (organization_id, first_seq, last_seq) where records is null;

-- The partitions of event_batch.
create table event_part (
  part integer primary key,
  began_at timestamptz not null default now(),
  -- When the next part began.
  ended_at timestamptz
);

-- The database that the log belongs to, in one row. It distinguishes the original from a copy, a restored
-- backup or a standby that took over.
create table event_log (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid(),
  system_identifier text not null,
  timeline text not null,
  -- The outbox has no row up to this id, and none can appear there any more.
  outbox_floor bigint not null default 0,
  -- Restored tables have other oids.
  table_oid oid,
  -- A cluster that was put back from a copy was started again.
  server_started_at timestamptz,
  -- Written every few seconds: commits that were lost are newer.
  alive_at timestamptz not null default now()
);

-- Event queues of clients: a cut, a filter, and when the queue was last polled. Its events are in the log.
create table event_queue (
  id text primary key,
  organization_id bigint not null,
  user_id bigint not null,
  -- The cut: the node's position in the log, and the snapshot with which the registered state was read.
  cut_seq bigint not null,
  cut_snapshot pg_snapshot not null,
  options json not null,
  lifespan_seconds integer not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
) with (fillfactor = 70);
create index event_queue_user on event_queue (organization_id, user_id);


-- === Streams ===

-- Streams, the places of messages with topics. They are deleted only with their organization.
create table stream (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  -- The name as names are compared. The server computes it, because comparing in the database depends on its
  -- locale.
  folded_name text not null,
  description text not null,
  rendered_description text not null,
  invite_only boolean not null,
  history_public_to_subscribers boolean not null,
  stream_post_policy smallint not null check (stream_post_policy between 1 and 3),
  -- Null: the setting of the organization applies. -1: messages are kept forever.
  message_retention_days integer check (message_retention_days = -1 or message_retention_days > 0),
  -- The secret part of the e-mail address that posts to the stream.
  email_token text not null unique default replace(gen_random_uuid()::text, '-', ''),
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  first_message_id bigint,
  primary key (organization_id, id),
  constraint stream_name_key unique (organization_id, folded_name),
  check (invite_only or history_public_to_subscribers)
);

-- Users who are or were subscribed to a stream, with their settings for it. The row stays when they leave.
create table subscription (
  organization_id bigint not null,
  user_id bigint not null,
  stream_id bigint not null,
  is_active boolean not null,
  color text not null,
  is_muted boolean not null default false,
  pin_to_top boolean not null default false,
  -- Null: the setting of the account for all streams applies.
  desktop_notifications boolean,
  audible_notifications boolean,
  push_notifications boolean,
  email_notifications boolean,
  wildcard_mentions_notify boolean,
  -- The read position: messages that were sent to the stream are read below this id and unread from it on,
  -- except those in read_mark.
  read_to bigint not null default 0,
  primary key (organization_id, user_id, stream_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);
create index subscription_members on subscription (organization_id, stream_id, user_id) where is_active;

-- Subscription periods: uninterrupted subscriptions of a user to a stream. They show who was subscribed when
-- an event or a message was written.
create table subscription_period (
  organization_id bigint not null,
  user_id bigint not null,
  stream_id bigint not null,
  from_outbox_id bigint not null,
  -- Null while the period lasts.
  to_outbox_id bigint,
  from_message_id bigint not null,
  to_message_id bigint,
  primary key (organization_id, user_id, stream_id, from_outbox_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
-- Together these find who was subscribed at a given moment: the users who still are, and those who left
-- later.
create unique index subscription_period_open on subscription_period (organization_id, stream_id, user_id)
  include (from_outbox_id) where to_outbox_id is null;
create index subscription_period_ended on subscription_period (organization_id, stream_id, to_outbox_id)
  where to_outbox_id is not null;

-- Number of messages of each stream on each past day.
create table stream_traffic (
  organization_id bigint not null,
  stream_id bigint not null,
  day date not null,
  messages integer not null check (messages > 0),
  primary key (organization_id, stream_id, day),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

-- The message id up to which stream_traffic counts the messages of an organization.
create table traffic_count (
  organization_id bigint primary key references organization,
  counted_to bigint not null
);

-- Topics that a user muted.
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

-- Streams to which every new user is subscribed.
create table default_stream (
  organization_id bigint not null,
  stream_id bigint not null,
  primary key (organization_id, stream_id),
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

-- Groups of streams that a new user can choose together.
create table default_stream_group (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  name text not null,
  description text not null,
  primary key (organization_id, id),
  constraint default_stream_group_name_key unique (organization_id, name)
);

-- The streams of these groups.
create table default_stream_group_stream (
  organization_id bigint not null,
  group_id bigint not null,
  stream_id bigint not null,
  primary key (organization_id, group_id, stream_id),
  foreign key (organization_id, group_id) references default_stream_group (organization_id, id) on delete cascade,
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);
create index default_stream_group_stream_stream on default_stream_group_stream (organization_id, stream_id);


-- === Messages ===

-- Ids of messages. They also bound periods and order changes of messages.
create sequence message_id as bigint;

-- Ranges of message ids that were skipped, because a lost part of the database may have used them. Searches
-- leave them out.
create table message_id_gap (
  first_id bigint primary key,
  last_id bigint not null,
  check (last_id >= first_id)
);

-- Sets of people who exchange private messages; one row per set. A message goes to a stream or to a
-- conversation, so both take their ids from one sequence.
create table conversation (
  organization_id bigint not null references organization,
  id bigint not null default nextval('stream_id_seq'),
  -- Ids of all members, the sender included, ascending and without duplicates.
  members bigint[] not null,
  -- SHA-256 of the members, because an index limits the size of its entries.
  members_digest bytea not null,
  primary key (organization_id, id),
  unique (organization_id, members_digest)
);

-- The conversations of each user. A trigger fills the table.
create table conversation_member (
  organization_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  primary key (organization_id, user_id, conversation_id)
);

-- Messages to streams and conversations. No foreign keys: each would lock a row of another table for every
-- message that is sent, and accounts and streams are deleted only with their organization.
create table message (
  organization_id bigint not null,
  id bigint not null,
  -- The stream or conversation that it was sent to, which decides who received it and who has read it.
  sent_recipient_id bigint not null,
  -- The stream or conversation that it is in now.
  recipient_id bigint not null,
  -- Its own id, or the id that was taken when it was moved to where it is.
  arrived_id bigint not null,
  -- The outbox id of its event.
  outbox_id bigint not null,
  sender_id bigint not null,
  sent_at timestamptz not null,
  edited_at timestamptz,
  is_private boolean not null,
  mentions_wildcard boolean not null,
  has_link boolean not null,
  has_image boolean not null,
  has_attachment boolean not null,
  client text not null,
  topic text not null,
  -- The topic as topics are compared.
  folded_topic text not null,
  content text not null,
  rendered_content text not null,
  -- Search words as numbers: those of content and sender, and those of the topic with the topic itself. Null
  -- until the job `index_messages` has read the message.
  words integer[],
  topic_words integer[],
  -- The message id at which text, topic or stream last changed; null if they never did. The stream is locked
  -- meanwhile, so the id compares with the bounds of subscription periods: a user who left a private stream
  -- keeps the message as it was then, or not at all. A trigger sets it.
  changed_id bigint,
  primary key (organization_id, id)
);
create index message_sent on message (organization_id, sent_recipient_id, id);
create index message_topic on message (organization_id, recipient_id, folded_topic, id);
create index message_sender on message (organization_id, sender_id, id);
-- The few messages that were moved, by the stream that they came from and by the one that they are in.
create index message_moved_from on message (organization_id, sent_recipient_id, id)
  where recipient_id <> sent_recipient_id;
create index message_moved_to on message (organization_id, recipient_id, id)
  where recipient_id <> sent_recipient_id;
create index message_wildcard on message (organization_id, id) where mentions_wildcard;
create index message_without_words on message (organization_id, id) where words is null;

-- Placements: the streams that a moved message was in before, each bounded by message ids.
create table message_stay (
  organization_id bigint not null,
  message_id bigint not null,
  stream_id bigint not null,
  from_id bigint not null,
  to_id bigint not null,
  primary key (organization_id, message_id, from_id)
);

-- Earlier versions of edited messages. The newest edit has the largest id.
create table message_edit (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  edited_at timestamptz not null,
  -- Null if the edit did not change it.
  prev_topic text,
  prev_content text,
  prev_rendered_content text,
  prev_stream_id bigint,
  primary key (organization_id, message_id, id)
);

-- The flags of a message for one user. Each member of a conversation has a row for each of its messages. A
-- message to a stream has rows only for users with a flag, never for all who received it.
create table user_message (
  organization_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  is_private boolean not null,
  -- Only for private messages; the others are in read_mark.
  is_unread boolean not null default false,
  is_starred boolean not null default false,
  is_collapsed boolean not null default false,
  is_mentioned boolean not null default false,
  has_alert_word boolean not null default false,
  -- The message was not delivered to the user, who found it later.
  is_historical boolean not null default false,
  primary key (organization_id, user_id, message_id)
) with (fillfactor = 90);
create index user_message_message on user_message (organization_id, message_id);
create index user_message_private on user_message (organization_id, user_id, message_id) where is_private;
create index user_message_unread on user_message (organization_id, user_id, message_id) where is_unread;
create index user_message_starred on user_message (organization_id, user_id, message_id) where is_starred;
create index user_message_mentioned on user_message (organization_id, user_id, message_id) where is_mentioned;
create index user_message_alerted on user_message (organization_id, user_id, message_id) where has_alert_word;
create index user_message_historical on user_message (organization_id, user_id, message_id) where is_historical;

-- Read marks: messages that are read above the read position of a stream, or unread below it.
create table read_mark (
  organization_id bigint not null,
  user_id bigint not null,
  -- The stream that the message was sent to.
  stream_id bigint not null,
  message_id bigint not null,
  is_read boolean not null,
  primary key (organization_id, user_id, stream_id, message_id)
);
-- The few messages that are unread below a read position.
create index read_mark_unread on read_mark (organization_id, user_id, message_id) where not is_read;

-- Reactions to messages. Several names may have one code: all users who react with it get the name of the
-- first one.
create table reaction (
  organization_id bigint not null,
  message_id bigint not null,
  user_id bigint not null,
  -- unicode_emoji, realm_emoji or chat_extra_emoji.
  reaction_type text not null,
  emoji_code text not null,
  emoji_name text not null,
  -- The lowest id belongs to the first reaction.
  id bigint generated always as identity,
  primary key (organization_id, message_id, user_id, reaction_type, emoji_code)
);

-- Additions to an interactive message: the widget itself, votes, options, tasks. Rows are only added.
create table submessage (
  organization_id bigint not null,
  message_id bigint not null,
  -- A message id, taken while the stream is locked, so that it compares with the bounds of subscription
  -- periods. The widget that was sent with the message has a lower id than the message.
  id bigint not null default nextval('message_id'),
  sender_id bigint not null,
  msg_type text not null,
  -- JSON, as it was sent.
  content text not null,
  primary key (organization_id, message_id, id),
  foreign key (organization_id, message_id) references message (organization_id, id) on delete cascade
);

-- Words whose occurrence in a message alerts the user.
create table alert_word (
  organization_id bigint not null,
  user_id bigint not null,
  -- In lower case, as texts are searched for it.
  word text not null,
  -- The word as the user wrote it. Users see their words in the order of the ids.
  spelling text not null,
  id bigint generated always as identity,
  primary key (organization_id, user_id, word),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Texts that their owners have not sent yet.
create table draft (
  organization_id bigint not null,
  user_id bigint not null,
  id bigint generated always as identity,
  -- Empty while the draft has no recipients.
  type text not null check (type in ('', 'stream', 'private')),
  -- One stream, or any number of people. The owner may have lost access to them since.
  recipients bigint[] not null,
  topic text not null,
  content text not null,
  -- When the owner last edited it, in seconds, by the clock of the client or of the server.
  edited_at bigint not null,
  primary key (organization_id, user_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Messages and reminders that are sent at a later time. The transaction that sends a message deletes its row.
create table scheduled_message (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  sender_id bigint not null,
  -- The notification bot sends the message to its author.
  is_reminder boolean not null,
  stream_id bigint,
  -- Empty without a stream.
  topic text not null,
  -- The members of the conversation, the sender included, ascending. Null with a stream.
  people bigint[],
  content text not null,
  rendered_content text not null,
  -- `widget_content` of the request.
  widget_content text,
  -- The program that scheduled it.
  client text not null,
  origin text not null,
  is_read_by_sender boolean not null,
  deliver_at timestamptz not null,
  -- When the next attempt is due: at the time of delivery, and later after an unexpected error.
  attempt_at timestamptz not null,
  attempts int not null default 0,
  -- Why the message was refused at its time; null while it is pending.
  failure text,
  -- Increases with every change, so that no attempt sends a text that was changed meanwhile.
  revision int not null default 1,
  -- The sender of a refused message, or the owner of a bot, has not been notified yet. One notice reports all
  -- such failures.
  awaits_notice boolean not null default false,
  primary key (organization_id, id),
  foreign key (organization_id, sender_id) references user_account (organization_id, id),
  foreign key (organization_id, stream_id) references stream (organization_id, id),
  check ((stream_id is null) <> (people is null))
);
create index scheduled_message_due on scheduled_message (attempt_at, organization_id, sender_id)
  where failure is null;
create index scheduled_message_sender on scheduled_message (organization_id, sender_id, deliver_at, id);
create index scheduled_message_awaits_notice on scheduled_message (organization_id, sender_id) where awaits_notice;

-- Accounts that ever scheduled a message. A node claims a sender, so that the messages of one sender are sent
-- in order. The claim of a node that died expires.
create table scheduled_sender (
  organization_id bigint not null,
  user_id bigint not null,
  claimed_until timestamptz not null default '-infinity',
  claimed_by uuid,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Files that users uploaded. The bytes are in the file store, under a key made from `path_id`, with the
-- thumbnails of pictures beside them.
create table upload (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  owner_id bigint not null,
  -- The path of the file's URL: organization, two hexadecimal digits, 24 random characters, sanitized name.
  path_id text not null,
  -- The name that the file had.
  file_name text not null,
  size bigint not null,
  content_type text not null,
  -- Hexadecimal digest of the content.
  sha256 text not null,
  -- Pixels of a picture.
  width integer,
  height integer,
  created_at timestamptz not null default clock_timestamp(),
  -- Since when no message and no unsent text refers to it; null while one does. Triggers set it. A job
  -- deletes the upload after a week.
  unclaimed_since timestamptz default clock_timestamp(),
  -- Whether the picture moves; null if that is unknown.
  is_animated boolean,
  -- Formats of the thumbnails; null before they were drawn.
  thumbnail_formats text[],
  -- Attempts to draw thumbnails since the last success. After a few, no further one is made.
  thumbnail_attempts smallint not null default 0,
  -- A bot that got another owner no longer reads what it uploaded before, unless a message shows it the file.
  is_hidden_from_owner boolean not null default false,
  primary key (organization_id, id),
  constraint upload_path_id_key unique (path_id),
  foreign key (organization_id, owner_id) references user_account (organization_id, id)
);
create index upload_owner on upload (organization_id, owner_id, id);
-- Expiry takes one organization after the other.
create index upload_unclaimed on upload (organization_id, unclaimed_since) where unclaimed_since is not null;
-- Finds an upload by the random part of its path: the name after it may be written in several encodings.
create index upload_random_part on upload (organization_id, split_part(path_id, '/', 3));
-- Adds up what an account uploaded within a day, while other uploads of the organization wait.
create index upload_recent on upload (organization_id, owner_id, created_at) include (size);

-- Claims: messages that refer to an upload. Everyone who may see one of them may read the file.
create table upload_claim (
  organization_id bigint not null,
  upload_id bigint not null,
  message_id bigint not null,
  primary key (organization_id, upload_id, message_id),
  foreign key (organization_id, upload_id) references upload (organization_id, id) on delete cascade,
  foreign key (organization_id, message_id) references message (organization_id, id) on delete cascade
);
create index upload_claim_message on upload_claim (organization_id, message_id);

-- Holds: drafts and scheduled messages that link to an upload of their author, which keep it from expiring.
-- Texts of other users do not hold it, because without a message those users may not read it. Triggers fill
-- the table.
create table upload_hold (
  organization_id bigint not null,
  id bigint generated always as identity,
  upload_id bigint not null,
  owner_id bigint not null,
  draft_id bigint,
  scheduled_message_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, upload_id) references upload (organization_id, id) on delete cascade,
  foreign key (organization_id, owner_id, draft_id) references draft (organization_id, user_id, id) on delete cascade,
  foreign key (organization_id, scheduled_message_id) references scheduled_message (organization_id, id) on delete cascade,
  check ((draft_id is null) <> (scheduled_message_id is null))
);
create index upload_hold_upload on upload_hold (organization_id, upload_id);
create index upload_hold_draft on upload_hold (organization_id, owner_id, draft_id) where draft_id is not null;
create index upload_hold_scheduled_message on upload_hold (organization_id, scheduled_message_id)
  where scheduled_message_id is not null;

-- Bytes of all uploads of an organization, because adding them up takes too long with millions of files.
-- Triggers count them.
create table upload_usage (
  organization_id bigint primary key references organization,
  bytes bigint not null
);

-- Files that are being received. If the node dies, its rows remain, and a job removes the files.
create table unfinished_upload (
  path_id text primary key,
  organization_id bigint not null references organization,
  started_at timestamptz not null default clock_timestamp()
);

-- Pages that messages link to, as previews show them. Each organization fetches its own, so that none learns
-- what another one links to.
create table link_page (
  organization_id bigint not null,
  url text not null,
  -- The sender whose message caused the last fetch, and when it began. They limit the fetches of one account.
  requested_by bigint not null,
  fetch_began_at timestamptz not null default now(),
  -- A node fetches the page until then, unless it dies.
  claimed_until timestamptz not null,
  -- Until then the page is not fetched again; null before the first fetch ended.
  expires_at timestamptz,
  title text not null default '',
  description text not null default '',
  image text not null default '',
  primary key (organization_id, url),
  foreign key (organization_id, requested_by) references user_account (organization_id, id)
);
create index link_page_requests on link_page (organization_id, requested_by, fetch_began_at);
create index link_page_fetch_began_at on link_page (fetch_began_at);

-- Messages whose linked pages are to be previewed. The update of the message deletes the row. A foreign key
-- would make every send with a link slower, so a row without a message is possible, and is deleted too.
create table link_preview_request (
  organization_id bigint not null,
  message_id bigint not null,
  sender_id bigint not null,
  -- Link targets as written in the HTML.
  links text[] not null,
  -- SHA-256 of the content that has these links: previews are not added to another content.
  content_hash bytea not null,
  -- The next attempt. A node that works on the request postpones it meanwhile.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- The page that another request fetches. This request is due when that fetch has ended.
  waits_for text,
  primary key (organization_id, message_id)
);
create index link_preview_request_due_at on link_preview_request (due_at);
create index link_preview_request_waits_for on link_preview_request (organization_id, waits_for)
  where waits_for is not null;


-- === People ===

-- Settings of people for themselves; one row for every account. The time zone, which others see, is in
-- user_account.
create table user_setting (
  organization_id bigint not null,
  user_id bigint not null,
  enter_sends boolean not null default false,

  color_scheme smallint not null default 1 check (color_scheme between 1 and 3),
  default_language text not null default 'en',
  demote_inactive_streams smallint not null default 1 check (demote_inactive_streams between 1 and 3),
  dense_mode boolean not null default true,
  emojiset text not null default 'google-blob' check (emojiset in ('google', 'google-blob', 'twitter', 'text')),
  fluid_layout_width boolean not null default false,
  high_contrast_mode boolean not null default false,
  left_side_userlist boolean not null default false,
  starred_message_counts boolean not null default false,
  translate_emoticons boolean not null default false,
  twenty_four_hour_time boolean not null default false,

  desktop_icon_count_display smallint not null default 1 check (desktop_icon_count_display between 1 and 3),
  enable_desktop_notifications boolean not null default true,
  enable_digest_emails boolean not null default true,
  enable_login_emails boolean not null default true,
  enable_offline_email_notifications boolean not null default true,
  enable_offline_push_notifications boolean not null default true,
  enable_online_push_notifications boolean not null default true,
  enable_sounds boolean not null default true,
  enable_stream_audible_notifications boolean not null default false,
  enable_stream_desktop_notifications boolean not null default false,
  enable_stream_email_notifications boolean not null default false,
  enable_stream_push_notifications boolean not null default false,
  message_content_in_email_notifications boolean not null default true,
  notification_sound text not null default 'chat',
  pm_content_in_desktop_notifications boolean not null default true,
  presence_enabled boolean not null default true,
  realm_name_in_notifications boolean not null default false,
  wildcard_mentions_notify boolean not null default true,

  -- The read position of the account for all streams. The larger one of this and the stream's counts.
  read_to bigint not null default 0,
  -- Which introductions a new user has seen.
  tutorial_status text not null default 'waiting' check (tutorial_status in ('waiting', 'started', 'finished')),
  seen_hotspots text[] not null default '{}',

  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Values of profile fields.
create table profile_value (
  organization_id bigint not null,
  user_id bigint not null,
  field_id bigint not null,
  value text not null,
  rendered_value text,
  primary key (organization_id, user_id, field_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, field_id) references profile_field (organization_id, id) on delete cascade
);
create index profile_value_field on profile_value (organization_id, field_id);

-- Statuses that users set; no row for users without one.
create table user_status (
  organization_id bigint not null,
  user_id bigint not null,
  is_away boolean not null,
  status_text text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  check (is_away or status_text <> '')
);

-- When each program of a user last reported that its user is active or idle. Rows of active users are updated
-- about once a minute, so pages have room for new versions, and the times have no index.
create table presence (
  organization_id bigint not null,
  user_id bigint not null,
  client text not null,
  active_at timestamptz,
  idle_at timestamptz,
  primary key (organization_id, user_id, client),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  check (active_at is not null or idle_at is not null)
) with (fillfactor = 60);

-- Phones that push notifications can be sent to.
create table device (
  organization_id bigint not null,
  kind text not null check (kind in ('apple', 'android')),
  token text not null,
  -- SHA-256 of the token, because an index limits the size of its entries.
  token_digest bytea not null,
  user_id bigint not null,
  app_id text,
  added_at timestamptz not null default now(),
  -- Without the user: a device with a new owner no longer gets notifications of the previous one.
  primary key (organization_id, kind, token_digest),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index device_owner on device (organization_id, user_id, added_at);

-- New addresses of accounts, until their owners open the link that was mailed to them.
create table email_change (
  organization_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  new_email text not null,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index email_change_created on email_change (created_at);
create index email_change_user on email_change (organization_id, user_id);


-- === Joining ===

-- Invitations: sent to an address by e-mail or, without one, a link that any number of people can use.
create table invitation (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  email text,
  invited_by bigint not null,
  -- The role of an account that accepts it.
  role smallint not null check (role in (100, 200, 400, 600)),
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  -- When the last e-mail was sent, and how many were.
  invited_at timestamptz not null default now(),
  letters integer not null default 1,
  ended_at timestamptz,
  -- When the e-mail was sent again. Adding a time drops those older than a day.
  resent_at timestamptz[] not null default '{}',
  primary key (organization_id, id),
  foreign key (organization_id, invited_by) references user_account (organization_id, id)
);
create index invitation_invited on invitation (organization_id, invited_at);
create index invitation_email on invitation (organization_id, lower(email));

-- Streams to which an account that accepts an invitation is subscribed.
create table invitation_stream (
  organization_id bigint not null,
  invitation_id bigint not null,
  stream_id bigint not null,
  primary key (organization_id, invitation_id, stream_id),
  foreign key (organization_id, invitation_id) references invitation (organization_id, id) on delete cascade,
  foreign key (organization_id, stream_id) references stream (organization_id, id)
);

-- Requests to join, by an invitation link or where anyone may join, whose address is not confirmed yet.
create table sign_up (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  email text not null,
  -- The invitation link.
  invitation_id bigint,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, invitation_id) references invitation (organization_id, id) on delete cascade
);
create index sign_up_created on sign_up (organization_id, created_at);
create index sign_up_email on sign_up (organization_id, lower(email));

-- Who invited an account. The row stays when the invitation is deleted.
create table invited_user (
  organization_id bigint not null,
  user_id bigint not null,
  invited_by bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, invited_by) references user_account (organization_id, id)
);

-- Requests for a new password. A row is written for every address that was typed, whether or not it has an
-- account, so that the time of a request reveals nothing. Rows are deleted after a day.
create table password_reset (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  -- In lower case.
  email text not null,
  -- The account whose owner gets the link; null until the e-mail is composed, and for addresses without an
  -- account.
  user_id bigint,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  -- The address of the caller; of IPv6 the first 64 bits. Null for links that the operator made.
  network cidr,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Links of an import, with which people set their first password on this server, are valid for a week.
  lifetime_hours integer not null default 1,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index password_reset_created on password_reset (created_at);
create index password_reset_email on password_reset (organization_id, email);
create index password_reset_user on password_reset (organization_id, user_id) where user_id is not null;
create index password_reset_network on password_reset (network, created_at) where network is not null;


-- === Bots ===

-- Settings of bots. Bots without a row have the defaults.
create table bot_setting (
  organization_id bigint not null,
  user_id bigint not null,
  default_sending_stream_id bigint,
  default_events_register_stream_id bigint,
  default_all_public_streams boolean not null default false,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id),
  foreign key (organization_id, default_sending_stream_id) references stream (organization_id, id),
  foreign key (organization_id, default_events_register_stream_id) references stream (organization_id, id)
);
-- Find the bots of a stream that is renamed or archived.
create index bot_setting_sending_stream on bot_setting (organization_id, default_sending_stream_id)
  where default_sending_stream_id is not null;
create index bot_setting_events_stream on bot_setting (organization_id, default_events_register_stream_id)
  where default_events_register_stream_id is not null;

-- The service of a bot that is not generic: an integration, a URL that is called, or an embedded program.
create table bot_service (
  organization_id bigint not null,
  user_id bigint not null,
  -- Null for an incoming webhook that any integration may use.
  name text,
  base_url text not null default '',
  -- 1: JSON, 2: form fields.
  interface smallint not null default 1 check (interface in (1, 2)),
  -- The called URL recognizes this server by it.
  token_sealed bytea,
  -- A JSON object of texts, which may be secrets.
  config_sealed bytea,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Texts that bots store here, by key.
create table bot_storage (
  organization_id bigint not null,
  user_id bigint not null,
  -- SHA-256 of the key, because an index limits the size of its entries.
  key_digest bytea not null,
  key text not null,
  value text not null,
  characters integer not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (organization_id, user_id, key_digest),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- When the owner of a bot was last notified of a problem with it.
create table owner_notice (
  organization_id bigint not null,
  bot_id bigint not null,
  told_at timestamptz not null,
  primary key (organization_id, bot_id),
  foreign key (organization_id, bot_id) references user_account (organization_id, id)
);

-- Failed deliveries: requests of services that produced no message. Secrets are removed before a row is
-- written.
create table webhook_failure (
  organization_id bigint not null,
  id bigint generated always as identity,
  bot_id bigint not null,
  integration text not null,
  received_at timestamptz not null default now(),
  -- The error in the response.
  code text not null,
  reason text not null,
  query text not null,
  headers json not null,
  -- Null if it was too large to be stored.
  body bytea,
  body_bytes integer not null,
  -- False if a required signature was wrong.
  is_signed boolean not null,
  -- The owner of the bot at that time, who alone may see what the service sent.
  owner_id bigint,
  primary key (organization_id, id),
  foreign key (organization_id, bot_id) references user_account (organization_id, id)
);
create index webhook_failure_newest on webhook_failure (organization_id, bot_id, id desc);
create index webhook_failure_received_at on webhook_failure (received_at);

-- Calls of outgoing webhooks that are to be made. The row is inserted with the message that calls the bot,
-- and deleted with the bot's reply. Foreign keys would make sends slower, so a call without message or bot is
-- possible, and is deleted.
create table outgoing_webhook_call (
  organization_id bigint not null,
  bot_id bigint not null,
  message_id bigint not null,
  created_at timestamptz not null default now(),
  -- The next attempt.
  due_at timestamptz not null default now(),
  -- A node works on the call until then, unless it dies.
  claimed_until timestamptz not null default '-infinity',
  -- Attempts that were begun.
  attempts integer not null default 0,
  primary key (organization_id, bot_id, message_id)
);


-- === Administration ===

-- Exports of public data that administrators started. The archive is in the file store, at
-- exports/<organization>/<id>.tar.gz, from finished_at until deleted_at.
create table data_export (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  acting_user_id bigint not null,
  origin text not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  failed_at timestamptz,
  deleted_at timestamptz,
  size bigint,
  primary key (organization_id, id),
  foreign key (organization_id, acting_user_id) references user_account (organization_id, id)
);

-- Erasures that are not complete: messages are still searched for mentions, or deleted.
create table user_erasure (
  organization_id bigint not null,
  user_id bigint not null,
  deletes_messages boolean not null,
  -- Messages up to this id no longer mention the person.
  searched_to bigint not null default 0,
  began_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Downloads of a user's own data within the last day, which are limited.
create table own_export (
  organization_id bigint not null,
  user_id bigint not null,
  began_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, user_id, began_at),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index own_export_began_at on own_export (began_at);


-- === Functions and triggers ===
-- Functions that indexes and triggers call are parts of the tables, and migrations change them. Functions
-- that only the server calls are in `.sql` files beside their callers, except the older ones here. Functions
-- of indexes and triggers bring their search path, because pg_restore, ANALYZE and autovacuum run with an
-- empty one.

-- The upper half of the numbers in the search index: the location of a message, which is its stream or
-- conversation, and its slice of a million message ids. Locations may share a number, so search results are
-- compared again.
create function search_place(recipient bigint, slice bigint)
returns bigint language sql immutable parallel safe as $$
  select ((recipient * 1009 + slice) & 2147483647) << 32
$$;

-- The entries of a message in the search index: each word together with the location. So a search reads only
-- what was written in the locations that it looks at, newest first, and what was written together is together
-- in the index. A message that was moved is also found at the location it was sent to, by the users who
-- received it there. The function is in PL/pgSQL, because PostgreSQL would plan an SQL function anew for
-- every message.
create function search_keys(recipient bigint, sent_recipient bigint, message bigint, words integer[], topic_words integer[])
returns bigint[] language plpgsql immutable parallel safe cost 1000 set search_path from current as $$
declare
  slice bigint := message >> 20;
  -- As `search_place` makes them.
  place bigint := ((recipient * 1009 + slice) & 2147483647) << 32;
  sent_place bigint := ((sent_recipient * 1009 + slice) & 2147483647) << 32;
  keys bigint[] := array(select place | (word::bigint & 4294967295) from unnest(words || topic_words) as each (word));
begin
  if sent_place = place then
    return keys;
  end if;
  return keys || array(select sent_place | (word::bigint & 4294967295) from unnest(words || topic_words) as each (word));
end $$;

-- Without fastupdate: searches would read the list of pending entries, and a send would now and then have to
-- merge it.
create index message_search on message using gin (search_keys(recipient_id, sent_recipient_id, id, words, topic_words))
  with (fastupdate = off);

-- Fills conversation_member.
create function note_conversation_members() returns trigger language plpgsql set search_path from current as $$
begin
  insert into conversation_member (organization_id, user_id, conversation_id)
    select new.organization_id, member.id, new.id from unnest(new.members) as member (id);
  return null;
end $$;
create trigger note_members after insert on conversation for each row execute function note_conversation_members();

-- Sets changed_id of messages.
create function note_message_change() returns trigger language plpgsql set search_path from current as $$
begin
  new.changed_id := nextval('message_id');
  return new;
end
$$;
create trigger message_changed before update of content, topic, recipient_id on message
for each row when (
  old.content is distinct from new.content
  or old.topic is distinct from new.topic
  or old.recipient_id is distinct from new.recipient_id)
execute function note_message_change();

-- Maintains unclaimed_since of uploads. A transaction that adds a claim or a hold has locked the upload
-- before. The triggers are for each row, because deleting a message deletes its claims with a separate
-- statement.
create function note_upload_claim() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    update upload u set unclaimed_since = null
      where u.organization_id = new.organization_id and u.id = new.upload_id and u.unclaimed_since is not null;
    return new;
  end if;
  -- Waits for transactions that delete other claims of the same upload; otherwise each would still see the other's.
  perform from upload u where u.organization_id = old.organization_id and u.id = old.upload_id for no key update;
  update upload u set unclaimed_since = clock_timestamp()
    where u.organization_id = old.organization_id and u.id = old.upload_id
      and not exists (
        select from upload_claim c where c.organization_id = old.organization_id and c.upload_id = old.upload_id)
      and not exists (
        select from upload_hold h where h.organization_id = old.organization_id and h.upload_id = old.upload_id);
  return old;
end
$$;
create trigger upload_claimed after insert or delete on upload_claim for each row execute function note_upload_claim();
create trigger upload_held after insert or delete on upload_hold for each row execute function note_upload_claim();

-- Records which uploads of its author a draft or scheduled message links to. The argument is the column of
-- upload_hold for the text. The uploads are locked first, so that none is deleted or expires meanwhile.
-- Uploads that another transaction deletes are waited for and left out.
create function hold_uploads() returns trigger language plpgsql set search_path from current as $$
declare
  author bigint;
begin
  if tg_op = 'INSERT' and position('user_uploads/' in new.content) = 0 then
    return null;
  end if;
  if tg_table_name = 'draft' then
    author = new.user_id;
  else
    author = new.sender_id;
  end if;
  execute format($sql$
    with linked as materialized (
      select u.id from upload u
      where u.organization_id = $1 and u.owner_id = $2 and split_part(u.path_id, '/', 3) in (
        select split_part(link, '/', 3) from unnest(string_to_array($4, 'user_uploads/')) as link)
      order by u.id for no key update
    ), dropped as (
      delete from upload_hold h
      where h.organization_id = $1 and h.owner_id = $2 and h.%1$I = $3 and h.upload_id not in (select id from linked)
    )
    insert into upload_hold (organization_id, upload_id, owner_id, %1$I)
    select $1, linked.id, $2, $3 from linked where not exists (
      select from upload_hold h
      where h.organization_id = $1 and h.owner_id = $2 and h.%1$I = $3 and h.upload_id = linked.id)
  $sql$, tg_argv[0]) using new.organization_id, author, new.id, new.content;
  return null;
end
$$;
create trigger draft_holds_uploads after insert or update of content on draft
  for each row execute function hold_uploads('draft_id');
create trigger scheduled_message_holds_uploads after insert or update of content on scheduled_message
  for each row execute function hold_uploads('scheduled_message_id');

-- Maintains upload_usage.
create function count_upload_bytes() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into upload_usage as used (organization_id, bytes)
      select a.organization_id, sum(a.size) from added a group by a.organization_id order by a.organization_id
      on conflict (organization_id) do update set bytes = used.bytes + excluded.bytes;
  else
    update upload_usage used set bytes = used.bytes - removed.bytes
      from (select r.organization_id, sum(r.size) as bytes from gone r group by r.organization_id) as removed
      where used.organization_id = removed.organization_id;
  end if;
  return null;
end
$$;
create trigger upload_added after insert on upload referencing new table as added
  for each statement execute function count_upload_bytes();
create trigger upload_removed after delete on upload referencing old table as gone
  for each statement execute function count_upload_bytes();

-- Deletes the presence of a deactivated account: others no longer see it, and a reactivated account begins
-- anew.
create function forget_presence() returns trigger language plpgsql set search_path from current as $$
begin
  delete from presence where organization_id = new.organization_id and user_id = new.id;
  return null;
end $$;
create trigger forget_presence after update of is_active on user_account
  for each row when (old.is_active and not new.is_active) execute function forget_presence();

-- The first statement of a change on behalf of an account. Takes the organization's role lock, shared or
-- exclusive (`alone`), and only then reads the account, because it may have changed while the lock was waited
-- for. `credential` is the hash of an API key or of a session's token.
create function hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint, credential bytea)
  returns table (role smallint, is_active boolean, is_credential_good boolean, is_organization_deactivated boolean)
  language plpgsql as $$
begin
  if alone then
    perform pg_advisory_xact_lock(roles_key);
  else
    perform pg_advisory_xact_lock_shared(roles_key);
  end if;
  return query select u.role, u.is_active,
      u.api_key_hash = credential or exists (
        select from session s
        where s.token_hash = credential and s.organization_id = organization and s.user_id = account
          and s.expires_at > now()),
      o.deactivated_at is not null
    from user_account u join organization o on o.id = u.organization_id
    where u.organization_id = organization and u.id = account;
end $$;

-- Locks the read state of an account: changes of what it has read, starred or collapsed are made one after
-- the other. Also returns the newest message id and the running transactions, from which the caller computes
-- the horizon (`horizon.ts`). `timeline` changes after a failover and after a restart of PostgreSQL, because
-- transaction ids may go back then. The function must be volatile: each statement in it sees what was
-- committed before that statement began.
create function hold_read_state(organization bigint, account bigint)
returns table (own_read_to bigint, newest bigint, xid bigint, xmin bigint, timeline text)
language plpgsql volatile as $$
declare
  is_first boolean := pg_current_xact_id_if_assigned() is null;
begin
  select case when given.is_called then given.last_value else 0 end into newest from message_id given;
  -- One that was taken before the newest id was looked at proves nothing about it.
  if is_first then
    xid := pg_current_xact_id()::text::bigint;
  end if;
  select setting.read_to into own_read_to from user_setting setting
    where setting.organization_id = organization and setting.user_id = account for no key update;
  xmin := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || extract(epoch from pg_postmaster_start_time());
  return next;
end $$;

-- Marks unread messages as read; `streams` are the streams that they were sent to. Each message gets a read
-- mark, unless the read position of its stream can advance beyond it. Then the marks below the new position
-- are deleted. The position advances over messages that are read. It also advances over messages that were
-- moved away, so that they do not hold it back forever, and leaves a mark for those that may be unread. It
-- advances over few messages at a time, so that marking one message is fast, and never beyond the horizon.
-- The read state of the account must be locked.
create function mark_read(
  organization bigint, account bigint, own_read_to bigint, horizon bigint, streams bigint[], messages bigint[]
) returns void language plpgsql volatile set plan_cache_mode = force_generic_plan as $$
declare
  most_passed constant integer := 50;
  place record;
  was bigint;
  since bigint;
  nearest bigint;
  reached bigint;
begin
  for place in
    select given.stream_id as id, array_agg(given.message_id) as marked
    from unnest(streams, messages) as given (stream_id, message_id) group by given.stream_id
  loop
    select greatest(s.read_to, own_read_to), p.from_message_id into was, since
      from subscription s
      left join subscription_period p on p.organization_id = organization and p.user_id = account
        and p.stream_id = place.id and p.to_outbox_id is null
      where s.organization_id = organization and s.user_id = account and s.stream_id = place.id;

    -- Whoever left the stream has read what is in it.
    select min(walked.id), coalesce(
        min(walked.id) filter (where not walked.is_passed),
        case when count(*) > most_passed then max(walked.id) else horizon + 1 end)
      into nearest, reached
      from (
        select m.id, m.id = any(place.marked) or m.arrived_id <> m.id or coalesce((
          select mark.is_read from read_mark mark
          where mark.organization_id = organization and mark.user_id = account
            and mark.stream_id = place.id and mark.message_id = m.id), false) as is_passed
        from message m
        where m.organization_id = organization and m.sent_recipient_id = place.id
          and m.id >= greatest(was, since) and m.id <= horizon
        order by m.id limit most_passed + 1
      ) as walked
      where since is not null;

    if reached > nearest then
      update subscription s set read_to = reached
        where s.organization_id = organization and s.user_id = account and s.stream_id = place.id;
      insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
        select organization, account, place.id, moved.id, false
        from (
          select m.id, m.recipient_id, m.arrived_id from message m
          where m.organization_id = organization and m.sent_recipient_id = place.id
            and m.id >= greatest(was, since) and m.id < reached and m.arrived_id <> m.id
          union all
          -- Moved away before they left and came back.
          select m.id, m.recipient_id, m.arrived_id from subscription_period p
          join message m on m.organization_id = organization and m.sent_recipient_id = place.id
            and m.recipient_id <> m.sent_recipient_id and m.id >= greatest(was, p.from_message_id)
            and m.id < p.to_message_id
          where was < since and p.organization_id = organization and p.user_id = account and p.stream_id = place.id
            and p.to_outbox_id is not null
        ) as moved
        where moved.id <> all(place.marked) and exists (
          select from subscription_period p
          where p.organization_id = organization and p.user_id = account and p.stream_id = moved.recipient_id
            and p.to_outbox_id is null and p.from_message_id <= moved.arrived_id)
        on conflict do nothing;
      delete from read_mark mark
        where mark.organization_id = organization and mark.user_id = account and mark.stream_id = place.id
          and mark.message_id >= was and mark.message_id < reached
          and (mark.is_read or mark.message_id = any(place.marked));
    else
      reached := was;
    end if;

    delete from read_mark mark
      where mark.organization_id = organization and mark.user_id = account and mark.stream_id = place.id
        and mark.message_id = any(place.marked) and mark.message_id < was;
    insert into read_mark as mark (organization_id, user_id, stream_id, message_id, is_read)
      select organization, account, place.id, given.id, true from unnest(place.marked) as given (id)
      where given.id >= reached
      on conflict (organization_id, user_id, stream_id, message_id) do update set is_read = true
        where not mark.is_read;
  end loop;
end $$;


-- === Functions of earlier releases ===
-- Neither this release nor the previous one calls them.

-- As above, for nodes whose only credential was the API key, which they compared themselves.
create function hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint)
  returns table (role smallint, is_active boolean, api_key_hash bytea, is_organization_deactivated boolean)
  language plpgsql as $$
begin
  if alone then
    perform pg_advisory_xact_lock(roles_key);
  else
    perform pg_advisory_xact_lock_shared(roles_key);
  end if;
  return query select u.role, u.is_active, u.api_key_hash, o.deactivated_at is not null
    from user_account u join organization o on o.id = u.organization_id
    where u.organization_id = organization and u.id = account;
end $$;

-- The preconditions of a send, as text: all that decides whether an account may send to a stream or to
-- people, and what the message shows of it. It is in PL/pgSQL, because PostgreSQL would plan an SQL function
-- anew for every send.
create function send_facts(organization bigint, account bigint, key_hash bytea, stream bigint, people bigint[])
returns text language plpgsql stable as $$
begin
  return (select json_build_object(
    'organization', json_build_object(
      'subdomain', o.subdomain,
      'email_address_visibility', o.email_address_visibility,
      'private_message_policy', o.private_message_policy,
      'inline_image_preview', o.inline_image_preview,
      'inline_url_embed_preview', o.inline_url_embed_preview,
      'default_code_block_language', o.default_code_block_language),
    'sender', (
      select json_build_object(
        'id', u.id, 'role', u.role, 'is_active', u.is_active,
        'is_key_good', u.api_key_hash = key_hash or exists (
          select from session own
          where own.token_hash = key_hash and own.organization_id = organization and own.user_id = account
            and own.expires_at > now()),
        'bot_type', u.bot_type, 'full_name', u.full_name, 'delivery_email', u.delivery_email,
        'avatar_source', u.avatar_source, 'avatar_version', u.avatar_version,
        'is_new', floor(extract(epoch from now() - u.date_joined) / 86400) < o.waiting_period_threshold,
        'translate_emoticons', (
          select s.translate_emoticons from user_setting s
          where s.organization_id = organization and s.user_id = account),
        'writes_unheard', case when u.bot_type is not null and stream is not null then not exists (
          select from subscription heard
          where heard.organization_id = organization and heard.stream_id = stream and heard.is_active) end,
        'owner', (
          select json_build_object(
            'role', owner.role,
            'is_new', floor(extract(epoch from now() - owner.date_joined) / 86400) < o.waiting_period_threshold,
            'is_subscribed', (
              select s.is_active from subscription s
              where s.organization_id = organization and s.user_id = owner.id and s.stream_id = stream))
          from user_account owner where owner.organization_id = organization and owner.id = u.bot_owner_id))
      from user_account u where u.organization_id = organization and u.id = account),
    'stream', (
      select json_build_object(
        'id', s.id, 'name', s.name, 'folded_name', s.folded_name, 'invite_only', s.invite_only,
        'is_archived', s.archived_at is not null, 'stream_post_policy', s.stream_post_policy,
        'has_messages', s.first_message_id is not null,
        'is_subscribed', (
          select own.is_active from subscription own
          where own.organization_id = organization and own.user_id = account and own.stream_id = stream))
      from stream s where s.organization_id = organization and s.id = stream),
    'people', (
      select json_agg(json_build_object(
        'id', found.id, 'full_name', found.full_name, 'delivery_email', found.delivery_email,
        'bot_type', found.bot_type, 'is_active', found.is_active, 'is_system', found.is_system) order by found.id)
      from (
        select u.id, u.full_name, u.delivery_email, u.bot_type, u.is_active, false as is_system
        from user_account u where u.organization_id = organization and u.id = any(people)
        union all
        select a.id, a.full_name, a.email, 1::smallint, true, true from system_account a where a.id = any(people)
      ) as found)
  )::text from organization o where o.id = organization);
end $$;

-- Sends a message. `outcome` is 'sent'; 'facts' if the preconditions changed, and nothing was written;
-- 'answered' or 'reused' if there was a request with this idempotency key before. The function must be
-- volatile: each statement in it sees what was committed before that statement began.
create function send_message(
  organization bigint, account bigint, key_hash bytea, roles_key bigint,
  stream bigint, stream_key bigint, people bigint[], known_facts text,
  -- The account that sent the idempotency key, if there is one.
  caller bigint, repetition_key text, repetition_fingerprint bytea,
  given_topic text, given_folded_topic text, given_content text, given_rendered_content text, given_client text,
  -- See `search_keys`.
  given_words integer[], given_topic_words integer[],
  links boolean, images boolean, wildcard boolean,
  -- Mentioned and alerted users; those who receive the message get a row, and so do the called bots.
  noted bigint[], noted_mentions boolean[], noted_alerts boolean[], called_bots bigint[],
  -- Users who have read it at once.
  readers bigint[],
  header text, event_after_timestamp text,
  -- Of the record about the first message of a stream: the event up to the id.
  first_header text, first_event_before_id text
) returns table (outcome text, detail text, id bigint) language plpgsql volatile as $$
declare
  facts text;
  kept record;
  recipient bigint := stream;
  digest bytea;
  message_id bigint;
  outbox_id bigint;
  moment timestamptz;
  is_first boolean := false;
begin
  -- Before any id is taken: whoever asks which messages can still appear compares transaction ids; see `horizon.ts`.
  perform pg_current_xact_id();
  perform pg_advisory_xact_lock_shared(roles_key);
  if repetition_key is not null then
    perform pg_advisory_xact_lock(1, hashtext(organization || ' ' || caller || ' ' || repetition_key));
    select a.fingerprint, a.answer into kept from idempotent_answer a
      where a.organization_id = organization and a.user_id = caller and a.key = repetition_key
        and a.created_at > now() - interval '1 day';
    if found then
      return query select
        case when kept.fingerprint = repetition_fingerprint then 'answered' else 'reused' end, kept.answer::text, null::bigint;
      return;
    end if;
  end if;
  if stream is not null then
    perform pg_advisory_xact_lock_shared(stream_key);
  end if;
  facts := send_facts(organization, account, key_hash, stream, people);
  if facts is distinct from known_facts then
    return query select 'facts', facts, null::bigint;
    return;
  end if;

  if stream is null then
    digest := sha256(convert_to(array_to_string(people, ','), 'UTF8'));
    select c.id into recipient from conversation c
      where c.organization_id = organization and c.members_digest = digest;
    if not found then
      insert into conversation (organization_id, members, members_digest) values (organization, people, digest)
        on conflict do nothing returning conversation.id into recipient;
      if not found then
        select c.id into recipient from conversation c
          where c.organization_id = organization and c.members_digest = digest;
      end if;
    end if;
  end if;

  message_id := nextval('message_id');
  outbox_id := nextval('outbox_id');
  moment := clock_timestamp();
  insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
      is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content, rendered_content,
      words, topic_words)
    values (organization, message_id, recipient, recipient, message_id, outbox_id, account, moment,
      stream is null, wildcard, links, images, false, given_client, given_topic, given_folded_topic, given_content,
      given_rendered_content, given_words, given_topic_words);
  if stream is null then
    insert into user_message (organization_id, user_id, message_id, is_private, is_unread, is_mentioned, has_alert_word)
      select organization, u.id, message_id, true, u.id <> all(readers),
        coalesce(own.is_mentioned, false), coalesce(own.has_alert_word, false)
      from unnest(people) as member (id)
      join user_account u on u.organization_id = organization and u.id = member.id
      left join unnest(noted, noted_mentions, noted_alerts) as own (user_id, is_mentioned, has_alert_word)
        on own.user_id = member.id;
  else
    if cardinality(noted) > 0 then
      insert into user_message (organization_id, user_id, message_id, is_private, is_mentioned, has_alert_word)
        select organization, own.user_id, message_id, false, own.is_mentioned, own.has_alert_word
        from unnest(noted, noted_mentions, noted_alerts) as own (user_id, is_mentioned, has_alert_word)
        join user_account u on u.organization_id = organization and u.id = own.user_id and u.is_active
        where own.user_id = any(called_bots) or exists (
          select from subscription s
          where s.organization_id = organization and s.user_id = own.user_id and s.stream_id = stream and s.is_active);
    end if;
    if cardinality(readers) > 0 then
      insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
        select organization, s.user_id, stream, message_id, true from subscription s
        where s.organization_id = organization and s.user_id = any(readers) and s.stream_id = stream and s.is_active;
    end if;
    update stream s set first_message_id = message_id
      where s.organization_id = organization and s.id = stream
        and (s.first_message_id is null or s.first_message_id > message_id);
    is_first := found;
  end if;
  if repetition_key is not null then
    insert into idempotent_answer as own (organization_id, user_id, key, fingerprint, answer)
      values (organization, caller, repetition_key, repetition_fingerprint, json_build_object('id', message_id))
      on conflict (organization_id, user_id, key) do update
        set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = now();
  end if;
  insert into outbox (id, organization_id, header, event)
    values (outbox_id, organization, header::json,
      '{"type":"message","message":{"id":' || message_id || ',"recipient_id":' || recipient
        || ',"timestamp":' || floor(extract(epoch from moment)) || ',' || event_after_timestamp);
  if is_first then
    insert into outbox (organization_id, header, event)
      values (organization, first_header::json, first_event_before_id || message_id || '}');
  end if;
  return query select 'sent', null::text, message_id;
end $$;


-- Releases before this file would create all tables again. Because of this row they refuse to start on a
-- database that it created. On a database that adopted it they can start, as during an upgrade.
insert into schema_requirement (migration, needs) values ('0058_baseline', '0058_baseline');
