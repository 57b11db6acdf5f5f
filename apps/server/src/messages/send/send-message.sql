-- The SQL functions that send a message. `platform/database/function-files.ts` creates these
-- functions and types under names that end in a hash of this file's text. So the file may be
-- changed freely: nodes of the previous release continue to call the version that they were built
-- with.

-- A prepared message. `MessageToWrite` in write-message.ts has the same fields.
create type message_to_write as (
  organization_id bigint,
  sender_id bigint,
  credential_hash bytea,
  roles_lock bigint,
  -- Either a stream and its lock, or the members of a conversation.
  stream_id bigint,
  stream_lock bigint,
  people bigint[],
  -- Whether the sender may only continue topics of the stream.
  needs_topic boolean,
  -- The preconditions with which the message was checked and rendered.
  known_preconditions text,
  -- The account whose idempotency key applies.
  caller_id bigint,
  idempotency_key text,
  request_fingerprint bytea,
  topic text,
  folded_topic text,
  content text,
  rendered_content text,
  client text,
  words integer[],
  topic_words integer[],
  has_link boolean,
  has_image boolean,
  mentions_wildcard boolean,
  -- Users who have individual flags, and the flags of each of them.
  flagged bigint[],
  flagged_mentions boolean[],
  flagged_alerts boolean[],
  mentioned_bots bigint[],
  -- Outgoing webhooks that the message calls.
  called_bots bigint[],
  readers bigint[],
  -- JSON of the widget that the message was sent with.
  widget text,
  -- Links to pages that get a preview.
  page_links text[],
  -- JSON of the record's header, and of the event's message. The message lacks its first brace and
  -- the fields that are added here.
  header text,
  rest_of_message text,
  -- The same for the event that sets the first message of the stream, if this may be the first one.
  first_header text,
  first_event text
);

-- Returns a JSON object with the ids of the groups that each account is in, directly or through a
-- sub-group; null if there are none. In plpgsql, because a session keeps its plan.
create function groups_of_accounts(organization bigint, accounts bigint[]) returns json language plpgsql stable as $$
begin
  return (
    with recursive own (user_id, group_id) as (
      select m.user_id, m.group_id from user_group_member m
      where m.organization_id = organization and m.user_id = any(accounts)
      union
      select own.user_id, g.group_id from own
      join user_group_subgroup g on g.organization_id = organization and g.subgroup_id = own.group_id
    ), by_account as (
      select user_id, json_agg(group_id order by group_id) as ids from own group by user_id
    )
    select json_object_agg(user_id, ids order by user_id) from by_account
  );
end
$$;

-- The state that decides whether and how a message is sent: `SendPreconditions` in preconditions.ts.
-- Every send computes this text. It is joined from texts and from few queries, because PostgreSQL's
-- JSON functions, and subqueries that most sends do not need, took five times as long.
create function send_preconditions(organization bigint, account bigint, key_hash bytea, stream bigint, people bigint[])
returns text language plpgsql stable as $$
declare
  state record;
  writes_unheard boolean;
  owner text;
  members text;
  groups json;
begin
  select
    '{"subdomain":' || to_json(o.subdomain)
      || ',"email_address_visibility":' || o.email_address_visibility
      || ',"private_message_policy":' || o.private_message_policy
      || ',"inline_image_preview":' || o.inline_image_preview
      || ',"inline_url_embed_preview":' || o.inline_url_embed_preview
      || ',"default_code_block_language":' || coalesce(to_json(o.default_code_block_language)::text, 'null')
      || ',"mandatory_topics":' || o.mandatory_topics
      || ',"is_deactivated":' || (o.deactivated_at is not null) || '}' as organization,
    '{"id":' || u.id || ',"role":' || u.role || ',"is_active":' || u.is_active
      || ',"bot_type":' || coalesce(u.bot_type::text, 'null')
      || ',"full_name":' || to_json(u.full_name) || ',"delivery_email":' || to_json(u.delivery_email)
      || ',"avatar_source":' || to_json(u.avatar_source::text) || ',"avatar_version":' || u.avatar_version
      || ',"is_new":' || (date_part('epoch', now() - u.date_joined) < o.waiting_period_threshold * 86400::float8)
      || ',"muted_by":[' || coalesce((
        select string_agg(muting.user_id::text, ',' order by muting.user_id) from muted_user muting
        where muting.organization_id = organization and muting.muted_user_id = account), '')
      || '],"translate_emoticons":' || coalesce(setting.translate_emoticons::text, 'null') as sender,
    u.api_key_hash = key_hash as is_key_good, u.bot_type, u.bot_owner_id, o.waiting_period_threshold,
    s.rights <> '{}' as has_rights,
    '{"id":' || s.id || ',"name":' || to_json(s.name) || ',"folded_name":' || to_json(s.folded_name)
      || ',"invite_only":' || s.invite_only || ',"is_archived":' || (s.archived_at is not null)
      || ',"stream_post_policy":' || s.stream_post_policy
      || ',"rights":' || s.rights
      || ',"has_messages":' || (s.first_message_id is not null)
      || ',"is_subscribed":' || coalesce(own.is_active::text, 'null') || '}' as stream
  into state
  from organization o
  left join user_account u on u.organization_id = organization and u.id = account
  left join user_setting setting on setting.organization_id = organization and setting.user_id = account
  left join stream s on s.organization_id = organization and s.id = stream
  left join subscription own
    on own.organization_id = organization and own.user_id = account and own.stream_id = stream
  where o.id = organization;
  if not found then
    return null;
  end if;
  if state.is_key_good is not true then
    state.is_key_good := state.is_key_good or exists (
      select from session own
      where own.token_hash = key_hash and own.organization_id = organization and own.user_id = account
        and own.expires_at > now());
  end if;
  if state.bot_type is not null and stream is not null then
    writes_unheard := not exists (
      select from subscription heard
      where heard.organization_id = organization and heard.stream_id = stream and heard.is_active);
  end if;
  if state.has_rights then
    groups := groups_of_accounts(organization, array[account, state.bot_owner_id]);
  end if;
  if state.bot_owner_id is not null then
    owner := (
      select json_build_object(
        'id', u.id,
        'role', u.role,
        'is_new', date_part('epoch', now() - u.date_joined) < state.waiting_period_threshold * 86400::float8,
        'is_subscribed', (
          select s.is_active from subscription s
          where s.organization_id = organization and s.user_id = u.id and s.stream_id = stream))
      from user_account u where u.organization_id = organization and u.id = state.bot_owner_id);
  end if;
  if people is not null then
    members := (
      select json_agg(json_build_object(
        'id', found.id, 'full_name', found.full_name, 'delivery_email', found.delivery_email,
        'bot_type', found.bot_type, 'is_active', found.is_active, 'is_system', found.is_system) order by found.id)
      from (
        select u.id, u.full_name, u.delivery_email, u.bot_type, u.is_active, false as is_system
        from user_account u where u.organization_id = organization and u.id = any(people)
        union all
        select a.id, a.full_name, a.email, 1::smallint, true, true from system_account a where a.id = any(people)
      ) as found);
  end if;
  return '{"organization":' || state.organization
    || ',"sender":' || coalesce(state.sender
      || ',"is_key_good":' || coalesce(state.is_key_good::text, 'null')
      || ',"writes_unheard":' || coalesce(writes_unheard::text, 'null')
      || ',"owner":' || coalesce(owner, 'null') || '}', 'null')
    || ',"groups":' || coalesce(groups::text, 'null')
    || ',"stream":' || coalesce(state.stream, 'null')
    || ',"people":' || coalesce(members, 'null') || '}';
end $$;

-- Writes the message and its event, if the preconditions still hold. `outcome` is one of
--   sent      with the message's id
--   changed   nothing was written; `detail` has the current preconditions
--   replayed  the idempotency key was used by the same request; `detail` has its response
--   reused    the idempotency key was used by another request
--   no_topic  the sender may only continue topics, and the stream has no such topic
create function send_message(outgoing message_to_write)
returns table (outcome text, detail text, id bigint) language plpgsql as $$
declare
  preconditions text;
  answered record;
  recipient bigint := outgoing.stream_id;
  digest bytea;
  message_id bigint;
  outbox_id bigint;
  sent_at timestamptz;
  submessage_id bigint;
  submessages text := '[]';
  is_first boolean := false;
begin
  -- The transaction id must be assigned before any message id, because the horizon in horizon.ts
  -- relies on it.
  perform pg_current_xact_id(), pg_advisory_xact_lock_shared(outgoing.roles_lock);
  if outgoing.idempotency_key is not null then
    perform pg_advisory_xact_lock(
      1, hashtext(outgoing.organization_id || ' ' || outgoing.caller_id || ' ' || outgoing.idempotency_key));
    select a.fingerprint, a.answer into answered from idempotent_answer a
      where a.organization_id = outgoing.organization_id and a.user_id = outgoing.caller_id
        and a.key = outgoing.idempotency_key and a.created_at > now() - interval '1 day';
    if found then
      return query select
        case when answered.fingerprint = outgoing.request_fingerprint then 'replayed' else 'reused' end,
        answered.answer::text, null::bigint;
      return;
    end if;
  end if;
  if outgoing.stream_id is not null then
    perform pg_advisory_xact_lock_shared(outgoing.stream_lock);
  end if;
  preconditions := send_preconditions(
    outgoing.organization_id, outgoing.sender_id, outgoing.credential_hash, outgoing.stream_id, outgoing.people);
  if preconditions is distinct from outgoing.known_preconditions then
    return query select 'changed', preconditions, null::bigint;
    return;
  end if;

  -- The stream's lock keeps the topic until this transaction ends.
  if outgoing.needs_topic and not exists (
    select from message m
    where m.organization_id = outgoing.organization_id and m.recipient_id = outgoing.stream_id
      and m.folded_topic = outgoing.folded_topic) then
    return query select 'no_topic', null::text, null::bigint;
    return;
  end if;

  if outgoing.stream_id is null then
    digest := sha256(convert_to(array_to_string(outgoing.people, ','), 'UTF8'));
    select c.id into recipient from conversation c
      where c.organization_id = outgoing.organization_id and c.members_digest = digest;
    if not found then
      insert into conversation (organization_id, members, members_digest)
        values (outgoing.organization_id, outgoing.people, digest)
        on conflict do nothing returning conversation.id into recipient;
      if not found then
        select c.id into recipient from conversation c
          where c.organization_id = outgoing.organization_id and c.members_digest = digest;
      end if;
    end if;
  end if;

  message_id := nextval('message_id');
  outbox_id := nextval('outbox_id');
  sent_at := clock_timestamp();
  insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id,
      sender_id, sent_at, is_private, mentions_wildcard, has_link, has_image, has_attachment, client,
      topic, folded_topic, content, rendered_content, words, topic_words)
    values (outgoing.organization_id, message_id, recipient, recipient, message_id, outbox_id,
      outgoing.sender_id, sent_at, outgoing.stream_id is null, outgoing.mentions_wildcard, outgoing.has_link,
      outgoing.has_image, false, outgoing.client, outgoing.topic, outgoing.folded_topic, outgoing.content,
      outgoing.rendered_content, outgoing.words, outgoing.topic_words);
  if outgoing.stream_id is null then
    insert into user_message (organization_id, user_id, message_id, is_private, is_unread, is_mentioned, has_alert_word)
      select outgoing.organization_id, u.id, message_id, true, u.id <> all(outgoing.readers),
        coalesce(own.is_mentioned, false), coalesce(own.has_alert_word, false)
      from unnest(outgoing.people) as member (id)
      join user_account u on u.organization_id = outgoing.organization_id and u.id = member.id
      left join unnest(outgoing.flagged, outgoing.flagged_mentions, outgoing.flagged_alerts)
        as own (user_id, is_mentioned, has_alert_word) on own.user_id = member.id;
  else
    if cardinality(outgoing.flagged) > 0 then
      insert into user_message (organization_id, user_id, message_id, is_private, is_mentioned, has_alert_word)
        select outgoing.organization_id, own.user_id, message_id, false, own.is_mentioned, own.has_alert_word
        from unnest(outgoing.flagged, outgoing.flagged_mentions, outgoing.flagged_alerts)
          as own (user_id, is_mentioned, has_alert_word)
        join user_account u on u.organization_id = outgoing.organization_id and u.id = own.user_id and u.is_active
        where own.user_id = any(outgoing.mentioned_bots) or exists (
          select from subscription s
          where s.organization_id = outgoing.organization_id and s.user_id = own.user_id
            and s.stream_id = outgoing.stream_id and s.is_active);
    end if;
    if cardinality(outgoing.readers) > 0 then
      insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
        select outgoing.organization_id, s.user_id, outgoing.stream_id, message_id, true from subscription s
        where s.organization_id = outgoing.organization_id and s.user_id = any(outgoing.readers)
          and s.stream_id = outgoing.stream_id and s.is_active;
    end if;
    -- In a stream with messages, none can become the first: this id was assigned after
    -- `send_preconditions` saw a first message, and only a transaction with the stream's lock, which
    -- this one shares, can remove it.
    if outgoing.first_header is not null then
      update stream s set first_message_id = message_id
        where s.organization_id = outgoing.organization_id and s.id = outgoing.stream_id
          and (s.first_message_id is null or s.first_message_id > message_id);
      is_first := found;
    end if;
  end if;
  if outgoing.widget is not null then
    submessage_id := nextval('message_id');
    insert into submessage (organization_id, message_id, id, sender_id, msg_type, content)
      values (outgoing.organization_id, message_id, submessage_id, outgoing.sender_id, 'widget', outgoing.widget);
    submessages := json_build_array(json_build_object(
      'id', submessage_id, 'sender_id', outgoing.sender_id, 'msg_type', 'widget', 'content', outgoing.widget));
  end if;
  if outgoing.page_links is not null then
    insert into link_preview_request (organization_id, message_id, sender_id, links, content_hash)
      values (outgoing.organization_id, message_id, outgoing.sender_id, outgoing.page_links,
        sha256(convert_to(outgoing.content, 'UTF8')));
  end if;
  if cardinality(outgoing.called_bots) > 0 then
    insert into outgoing_webhook_call (organization_id, bot_id, message_id)
      select outgoing.organization_id, bot.id, message_id from user_account bot
      where bot.organization_id = outgoing.organization_id and bot.id = any(outgoing.called_bots) and bot.is_active;
  end if;
  if outgoing.idempotency_key is not null then
    insert into idempotent_answer as own (organization_id, user_id, key, fingerprint, answer)
      values (outgoing.organization_id, outgoing.caller_id, outgoing.idempotency_key, outgoing.request_fingerprint,
        json_build_object('id', message_id))
      on conflict (organization_id, user_id, key) do update
        set fingerprint = excluded.fingerprint, answer = excluded.answer, created_at = now();
  end if;
  -- Concatenating texts takes 2 µs; PostgreSQL's JSON functions take 40 µs.
  insert into outbox (id, organization_id, header, event)
    values (outbox_id, outgoing.organization_id, outgoing.header::json,
      '{"type":"message","message":{"id":' || message_id || ',"recipient_id":' || recipient
        || ',"timestamp":' || floor(extract(epoch from sent_at)) || ',"submessages":' || submessages
        || ',' || outgoing.rest_of_message || '}');
  if is_first then
    insert into outbox (organization_id, header, event)
      values (outgoing.organization_id, outgoing.first_header::json,
        (outgoing.first_event::jsonb || jsonb_build_object('value', message_id))::text);
  end if;
  return query select 'sent', null::text, message_id;
end $$;
