-- One row. The fingerprint tells a node that starts with another secret, before it writes anything with it.
create table server (
  only_row boolean primary key default true check (only_row),
  secret_fingerprint bytea not null,
  created_at timestamptz not null default now()
);

-- The numbers that bound periods. The tables that use them come later; periods exist from the first day.
create sequence message_id as bigint;
create sequence outbox_id as bigint;

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
  created_at timestamptz not null default now()
);

create table organization_domain (
  organization_id bigint not null references organization,
  domain text not null check (domain = lower(domain)),
  allow_subdomains boolean not null,
  primary key (organization_id, domain)
);

-- Keys lead with the organization, and references carry it: no row can point into another organization.
create table user_account (
  organization_id bigint not null references organization,
  id bigint generated always as identity,
  delivery_email text not null,
  full_name text not null,
  role smallint not null check (role in (100, 200, 400, 600)),
  is_active boolean not null default true,
  bot_type smallint check (bot_type between 1 and 4),
  bot_owner_id bigint,
  password_hash text,
  api_key_hash bytea not null constraint user_account_api_key_hash_key unique,
  api_key_sealed bytea not null,
  avatar_source text not null default 'external' check (avatar_source in ('external', 'uploaded')),
  avatar_version integer not null default 1,
  timezone text not null default '',
  date_joined timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, bot_owner_id) references user_account (organization_id, id),
  check (bot_owner_id is null or bot_type is not null),
  check (bot_type is null or password_hash is null)
);
create unique index user_account_email_key on user_account (organization_id, lower(delivery_email));
create index user_account_bot_owner on user_account (organization_id, bot_owner_id) where bot_owner_id is not null;
create index user_account_owners on user_account (organization_id) where role = 100;

-- One row for each stretch of time in which an account was active with one role. It began with the first outbox or
-- message id at or above its lower bounds and ended before its upper ones; open while it lasts.
create table role_period (
  organization_id bigint not null,
  user_id bigint not null,
  role smallint not null,
  from_outbox_id bigint not null,
  to_outbox_id bigint,
  from_message_id bigint not null,
  to_message_id bigint,
  primary key (organization_id, user_id, from_outbox_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create unique index role_period_open on role_period (organization_id, user_id) where to_outbox_id is null;

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

-- Attempts to sign in, by the name that was typed, whether or not such an account exists.
create table login_attempt (
  organization_id bigint not null references organization,
  username text not null,
  attempted_at timestamptz[] not null,
  primary key (organization_id, username)
);

-- Addresses that wait for their owner to open the link that was mailed to them.
create table email_change (
  organization_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  new_email text not null,
  key_hash bytea not null unique,
  key_sealed bytea not null,
  origin text not null,
  created_at timestamptz not null default now(),
  -- Used, replaced by a later one, or taken back because the account changed hands.
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
create index email_change_created on email_change (created_at);
create index email_change_user on email_change (organization_id, user_id);
