-- Organizations that exist keep what they have.
alter table organization alter column inline_url_embed_preview set default true;

-- Pages that messages link to, as far as previews show them. Each organization fetches for itself, so that none learns
-- what another one links to.
create table link_page (
  organization_id bigint not null,
  url text not null,
  -- The sender whose message caused the last fetch, and when it began; they limit the fetches of one account.
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

-- Messages whose linked pages are to be previewed. The row is deleted with the update of the message. It refers to the
-- message without a foreign key, which would make every send with a link slower: a row without message is deleted too.
create table link_preview_request (
  organization_id bigint not null,
  message_id bigint not null,
  sender_id bigint not null,
  -- Link targets as written in the HTML.
  links text[] not null,
  -- SHA-256 of the content that has these links: previews are not added to another one.
  content_hash bytea not null,
  -- The next attempt. A node that works on the request postpones it meanwhile.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0,
  -- The page that another request fetches; the request is due when that has ended.
  waits_for text,
  primary key (organization_id, message_id)
);
create index link_preview_request_due_at on link_preview_request (due_at);
create index link_preview_request_waits_for on link_preview_request (organization_id, waits_for) where waits_for is not null;

-- As before, with the setting for previews of pages.
create or replace function send_facts(organization bigint, account bigint, key_hash bytea, stream bigint, people bigint[])
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
