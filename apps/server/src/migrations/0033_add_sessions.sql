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

-- As before, and compares the credential itself: the hash of an API key or of a session's token. Nodes of the release
-- before call the function with four arguments.
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

-- As before; key_hash may also be the hash of a session's token. The session is looked up only if it is not the hash of
-- the API key, so sends with an API key cost the same as before.
create or replace function send_facts(organization bigint, account bigint, key_hash bytea, stream bigint, people bigint[])
returns text language plpgsql stable as $$
begin
  return (select json_build_object(
    'organization', json_build_object(
      'subdomain', o.subdomain,
      'email_address_visibility', o.email_address_visibility,
      'private_message_policy', o.private_message_policy,
      'inline_image_preview', o.inline_image_preview,
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
