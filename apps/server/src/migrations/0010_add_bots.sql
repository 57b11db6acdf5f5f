-- What is set of a bot. Bots without a row have the defaults.
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
-- A stream that gets another name or is archived must find them.
create index bot_setting_sending_stream on bot_setting (organization_id, default_sending_stream_id)
  where default_sending_stream_id is not null;
create index bot_setting_events_stream on bot_setting (organization_id, default_events_register_stream_id)
  where default_events_register_stream_id is not null;

-- What a bot that is no generic one works with: an integration, a URL that is called, or a program of the server's own.
create table bot_service (
  organization_id bigint not null,
  user_id bigint not null,
  -- Null for an incoming webhook that any integration may use.
  name text,
  base_url text not null default '',
  -- 1: JSON, 2: form fields.
  interface smallint not null default 1 check (interface in (1, 2)),
  -- What the called URL knows us by.
  token_sealed bytea,
  -- JSON, an object of texts. They may be secrets.
  config_sealed bytea,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Texts that an account keeps here. Keys may be too long for an index, so they are found by their digests.
create table bot_storage (
  organization_id bigint not null,
  user_id bigint not null,
  key_digest bytea not null,
  key text not null,
  value text not null,
  characters integer not null generated always as (char_length(key) + char_length(value)) stored,
  primary key (organization_id, user_id, key_digest),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);
