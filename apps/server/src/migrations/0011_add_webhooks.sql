-- When the owner of a bot was last told of something that goes wrong with it.
create table owner_notice (
  organization_id bigint not null,
  bot_id bigint not null,
  told_at timestamptz not null,
  primary key (organization_id, bot_id),
  foreign key (organization_id, bot_id) references user_account (organization_id, id)
);

-- What services sent with the key of a bot and made no message. Secrets are taken out before it is written.
create table webhook_failure (
  organization_id bigint not null,
  id bigint generated always as identity,
  bot_id bigint not null,
  integration text not null,
  received_at timestamptz not null default now(),
  -- As the sender was told.
  code text not null,
  reason text not null,
  query text not null,
  headers json not null,
  -- Null where it was too large to be kept.
  body bytea,
  body_bytes integer not null,
  -- False where a signature was wanted and was wrong.
  is_signed boolean not null,
  primary key (organization_id, id),
  foreign key (organization_id, bot_id) references user_account (organization_id, id)
);
create index webhook_failure_newest on webhook_failure (organization_id, bot_id, id desc);
create index webhook_failure_received_at on webhook_failure (received_at);

-- As before, and for bots whether anyone is in the stream: their owners are told where nobody is.
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
        'id', u.id, 'role', u.role, 'is_active', u.is_active, 'is_key_good', u.api_key_hash = key_hash,
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
