CREATE FUNCTION public.count_upload_bytes() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
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

CREATE FUNCTION public.forget_presence() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
begin
  delete from presence where organization_id = new.organization_id and user_id = new.id;
  return null;
end $$;

CREATE FUNCTION public.forget_topic_attention() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
begin
  delete from topic_attention attended
  where attended.organization_id = new.organization_id and attended.user_id = new.user_id
    and attended.stream_id = new.stream_id and attended.folded_topic = new.folded_topic;
  return null;
end $$;

CREATE FUNCTION public.hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint) RETURNS TABLE(role smallint, is_active boolean, api_key_hash bytea, is_organization_deactivated boolean)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint, credential bytea) RETURNS TABLE(role smallint, is_active boolean, is_credential_good boolean, is_organization_deactivated boolean)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.hold_read_state(organization bigint, account bigint) RETURNS TABLE(own_read_to bigint, newest bigint, xid bigint, xmin bigint, timeline text)
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.hold_uploads() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $_$
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
$_$;

CREATE FUNCTION public.mark_read(organization bigint, account bigint, own_read_to bigint, horizon bigint, streams bigint[], messages bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE FUNCTION public.note_conversation_members() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
declare
  guests bigint[];
begin
  insert into conversation_member (organization_id, user_id, conversation_id)
    select new.organization_id, member.id, new.id from unnest(new.members) as member (id);
  if not (select o.guests_see_only_shared_people from organization o where o.id = new.organization_id) then
    return null;
  end if;
  guests := array(
    select u.id from user_account u
    where u.organization_id = new.organization_id and u.id = any(new.members) and u.role = 600 and u.is_active);
  if cardinality(guests) = 0 then
    return null;
  end if;
  -- Waits for concurrent changes of the members, so that their events are rendered before or sent after.
  perform from user_account u
    where u.organization_id = new.organization_id and u.id = any(new.members) order by u.id for no key update;
  insert into outbox (organization_id, width, header, event)
    select new.organization_id, cardinality(new.members) * told.width,
      json_build_object('type', told.type, 'to', json_build_object('guests', json_build_object('users', guests))),
      json_build_object('type', told.type, 'appeared', new.members)::text
    from (values ('realm_user', 2), ('user_status', 1), ('presence', 40)) as told (type, width);
  return null;
end $$;

CREATE FUNCTION public.note_message_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
begin
  new.changed_id := nextval('message_id');
  return new;
end
$$;

CREATE FUNCTION public.note_upload_claim() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO '$user', 'public'
    AS $$
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

CREATE FUNCTION public.search_keys(recipient bigint, sent_recipient bigint, message bigint, words integer[], topic_words integer[]) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE COST 1000 PARALLEL SAFE
    SET search_path TO '$user', 'public'
    AS $$
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

CREATE FUNCTION public.search_place(recipient bigint, slice bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  select ((recipient * 1009 + slice) & 2147483647) << 32
$$;

CREATE FUNCTION public.send_facts(organization bigint, account bigint, key_hash bytea, stream bigint, people bigint[]) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION public.send_message(organization bigint, account bigint, key_hash bytea, roles_key bigint, stream bigint, stream_key bigint, people bigint[], known_facts text, caller bigint, repetition_key text, repetition_fingerprint bytea, given_topic text, given_folded_topic text, given_content text, given_rendered_content text, given_client text, given_words integer[], given_topic_words integer[], links boolean, images boolean, wildcard boolean, noted bigint[], noted_mentions boolean[], noted_alerts boolean[], called_bots bigint[], readers bigint[], header text, event_after_timestamp text, first_header text, first_event_before_id text) RETURNS TABLE(outcome text, detail text, id bigint)
    LANGUAGE plpgsql
    AS $$
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

CREATE TABLE public.alert_word (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    word text NOT NULL,
    spelling text NOT NULL,
    id bigint NOT NULL
);

ALTER TABLE public.alert_word ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alert_word_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.background_migration (
    name text NOT NULL,
    "position" jsonb,
    rows_done bigint DEFAULT 0 NOT NULL,
    rows_total bigint,
    started_at timestamp with time zone,
    updated_at timestamp with time zone,
    finished_at timestamp with time zone,
    failure text
);

CREATE TABLE public.bot_service (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    name text,
    base_url text DEFAULT ''::text NOT NULL,
    interface smallint DEFAULT 1 NOT NULL,
    token_sealed bytea,
    config_sealed bytea,
    CONSTRAINT bot_service_interface_check CHECK ((interface = ANY (ARRAY[1, 2])))
);

CREATE TABLE public.bot_setting (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    default_sending_stream_id bigint,
    default_events_register_stream_id bigint,
    default_all_public_streams boolean DEFAULT false NOT NULL
);

CREATE TABLE public.bot_storage (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    key_digest bytea NOT NULL,
    key text NOT NULL,
    value text NOT NULL,
    characters integer GENERATED ALWAYS AS ((char_length(key) + char_length(value))) STORED NOT NULL
);

CREATE TABLE public.stream (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    folded_name text NOT NULL,
    description text NOT NULL,
    rendered_description text NOT NULL,
    invite_only boolean NOT NULL,
    history_public_to_subscribers boolean NOT NULL,
    stream_post_policy smallint NOT NULL,
    message_retention_days integer,
    email_token text DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    first_message_id bigint,
    folder_id bigint,
    rights jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT stream_check CHECK ((invite_only OR history_public_to_subscribers)),
    CONSTRAINT stream_message_retention_days_check CHECK (((message_retention_days = '-1'::integer) OR (message_retention_days > 0))),
    CONSTRAINT stream_stream_post_policy_check CHECK (((stream_post_policy >= 1) AND (stream_post_policy <= 3)))
);

ALTER TABLE public.stream ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stream_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.conversation (
    organization_id bigint NOT NULL,
    id bigint DEFAULT nextval('public.stream_id_seq'::regclass) NOT NULL,
    members bigint[] NOT NULL,
    members_digest bytea NOT NULL
);

CREATE TABLE public.conversation_member (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    conversation_id bigint NOT NULL
);

CREATE TABLE public.custom_emoji (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    author_id bigint NOT NULL,
    file text NOT NULL,
    is_deactivated boolean DEFAULT false NOT NULL
);

CREATE SEQUENCE public.custom_emoji_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.data_export (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    acting_user_id bigint NOT NULL,
    origin text NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    failed_at timestamp with time zone,
    deleted_at timestamp with time zone,
    size bigint
);

ALTER TABLE public.data_export ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.data_export_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.default_stream (
    organization_id bigint NOT NULL,
    stream_id bigint NOT NULL
);

CREATE TABLE public.default_stream_group (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    description text NOT NULL
);

ALTER TABLE public.default_stream_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.default_stream_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.default_stream_group_stream (
    organization_id bigint NOT NULL,
    group_id bigint NOT NULL,
    stream_id bigint NOT NULL
);

CREATE TABLE public.device (
    organization_id bigint NOT NULL,
    kind text NOT NULL,
    token text NOT NULL,
    token_digest bytea NOT NULL,
    user_id bigint NOT NULL,
    app_id text,
    added_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT device_kind_check CHECK ((kind = ANY (ARRAY['apple'::text, 'android'::text])))
);

CREATE TABLE public.draft (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    id bigint NOT NULL,
    type text NOT NULL,
    recipients bigint[] NOT NULL,
    topic text NOT NULL,
    content text NOT NULL,
    edited_at bigint NOT NULL,
    CONSTRAINT draft_type_check CHECK ((type = ANY (ARRAY[''::text, 'stream'::text, 'private'::text])))
);

ALTER TABLE public.draft ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.draft_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.email_change (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    new_email text NOT NULL,
    key_hash bytea NOT NULL,
    key_sealed bytea NOT NULL,
    origin text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone
);

ALTER TABLE public.email_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.email_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.event_batch (
    part integer NOT NULL,
    organization_id bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    records text
)
PARTITION BY LIST (part);

CREATE TABLE public.event_head (
    organization_id bigint NOT NULL,
    last_seq bigint NOT NULL,
    dropped_seq bigint DEFAULT 0 NOT NULL,
    moved_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.event_log (
    only_row boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    system_identifier text NOT NULL,
    timeline text NOT NULL,
    outbox_floor bigint DEFAULT 0 NOT NULL,
    table_oid oid,
    server_started_at timestamp with time zone,
    alive_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT event_log_only_row_check CHECK (only_row)
);

CREATE TABLE public.event_part (
    part integer NOT NULL,
    began_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone
);

CREATE TABLE public.event_queue (
    id text NOT NULL,
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    cut_seq bigint NOT NULL,
    cut_snapshot pg_snapshot NOT NULL,
    options json NOT NULL,
    lifespan_seconds integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.idempotent_answer (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    answer json NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.invitation (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    email text,
    invited_by bigint NOT NULL,
    role smallint NOT NULL,
    key_hash bytea NOT NULL,
    key_sealed bytea NOT NULL,
    origin text NOT NULL,
    invited_at timestamp with time zone DEFAULT now() NOT NULL,
    letters integer DEFAULT 1 NOT NULL,
    ended_at timestamp with time zone,
    resent_at timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    CONSTRAINT invitation_role_check CHECK ((role = ANY (ARRAY[100, 200, 300, 400, 600])))
);

ALTER TABLE public.invitation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.invitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.invitation_stream (
    organization_id bigint NOT NULL,
    invitation_id bigint NOT NULL,
    stream_id bigint NOT NULL
);

CREATE TABLE public.invited_user (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    invited_by bigint NOT NULL
);

CREATE TABLE public.job_runner (
    id text NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

CREATE TABLE public.link_page (
    organization_id bigint NOT NULL,
    url text NOT NULL,
    requested_by bigint NOT NULL,
    fetch_began_at timestamp with time zone DEFAULT now() NOT NULL,
    claimed_until timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    title text DEFAULT ''::text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    image text DEFAULT ''::text NOT NULL
);

CREATE TABLE public.link_preview_request (
    organization_id bigint NOT NULL,
    message_id bigint NOT NULL,
    sender_id bigint NOT NULL,
    links text[] NOT NULL,
    content_hash bytea NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    waits_for text
);

CREATE TABLE public.linkifier (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    pattern text NOT NULL,
    url_format text NOT NULL
);

ALTER TABLE public.linkifier ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.linkifier_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.login_attempt (
    organization_id bigint NOT NULL,
    username text NOT NULL,
    attempted_at timestamp with time zone[] NOT NULL
);

CREATE TABLE public.message (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    sent_recipient_id bigint NOT NULL,
    recipient_id bigint NOT NULL,
    arrived_id bigint NOT NULL,
    outbox_id bigint NOT NULL,
    sender_id bigint NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    edited_at timestamp with time zone,
    is_private boolean NOT NULL,
    mentions_wildcard boolean NOT NULL,
    has_link boolean NOT NULL,
    has_image boolean NOT NULL,
    has_attachment boolean NOT NULL,
    client text NOT NULL,
    topic text NOT NULL,
    folded_topic text NOT NULL,
    content text NOT NULL,
    rendered_content text NOT NULL,
    words integer[],
    topic_words integer[],
    changed_id bigint
);

CREATE TABLE public.message_edit (
    organization_id bigint NOT NULL,
    message_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    edited_at timestamp with time zone NOT NULL,
    prev_topic text,
    prev_content text,
    prev_rendered_content text,
    prev_stream_id bigint
);

ALTER TABLE public.message_edit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.message_edit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.message_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.message_id_gap (
    first_id bigint NOT NULL,
    last_id bigint NOT NULL,
    CONSTRAINT message_id_gap_check CHECK ((last_id >= first_id))
);

CREATE TABLE public.message_stay (
    organization_id bigint NOT NULL,
    message_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    from_id bigint NOT NULL,
    to_id bigint NOT NULL
);

CREATE TABLE public.muted_topic (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    topic text NOT NULL,
    folded_topic text NOT NULL,
    muted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.muted_user (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    muted_user_id bigint NOT NULL,
    muted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.node_secret (
    node uuid NOT NULL,
    opens bytea[] NOT NULL,
    seals_with bytea NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

CREATE TABLE public.organization (
    id bigint NOT NULL,
    subdomain text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    deactivated_at timestamp with time zone,
    email_address_visibility smallint DEFAULT 1 NOT NULL,
    emails_restricted_to_domains boolean DEFAULT false NOT NULL,
    disallow_disposable_email_addresses boolean DEFAULT true NOT NULL,
    name_changes_disabled boolean DEFAULT false NOT NULL,
    email_changes_disabled boolean DEFAULT false NOT NULL,
    bot_creation_policy smallint DEFAULT 1 NOT NULL,
    disabled_authentication_methods text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    add_emoji_by_admins_only boolean DEFAULT false NOT NULL,
    allow_community_topic_editing boolean DEFAULT true NOT NULL,
    allow_edit_history boolean DEFAULT true NOT NULL,
    allow_message_deleting boolean DEFAULT false NOT NULL,
    allow_message_editing boolean DEFAULT true NOT NULL,
    avatar_changes_disabled boolean DEFAULT false NOT NULL,
    create_stream_policy smallint DEFAULT 1 NOT NULL,
    default_code_block_language text,
    default_language text DEFAULT 'en'::text NOT NULL,
    default_twenty_four_hour_time boolean DEFAULT false NOT NULL,
    digest_emails_enabled boolean DEFAULT false NOT NULL,
    digest_weekday smallint DEFAULT 1 NOT NULL,
    icon_source text DEFAULT 'external'::text NOT NULL,
    inline_image_preview boolean DEFAULT true NOT NULL,
    inline_url_embed_preview boolean DEFAULT true NOT NULL,
    invite_by_admins_only boolean DEFAULT false NOT NULL,
    invite_required boolean DEFAULT true NOT NULL,
    invite_to_stream_policy smallint DEFAULT 1 NOT NULL,
    logo_source text DEFAULT 'default'::text NOT NULL,
    mandatory_topics boolean DEFAULT false NOT NULL,
    message_content_allowed_in_email_notifications boolean DEFAULT true NOT NULL,
    message_content_delete_limit_seconds integer DEFAULT 600 NOT NULL,
    message_content_edit_limit_seconds integer DEFAULT 600 NOT NULL,
    message_retention_days integer DEFAULT '-1'::integer NOT NULL,
    night_logo_source text DEFAULT 'default'::text NOT NULL,
    notifications_stream_id bigint,
    plan_type smallint DEFAULT 1 NOT NULL,
    private_message_policy smallint DEFAULT 1 NOT NULL,
    send_welcome_emails boolean DEFAULT true NOT NULL,
    signup_notifications_stream_id bigint,
    user_group_edit_policy smallint DEFAULT 1 NOT NULL,
    video_chat_provider smallint DEFAULT 1 NOT NULL,
    waiting_period_threshold integer DEFAULT 0 NOT NULL,
    icon_version integer DEFAULT 1 NOT NULL,
    logo_version integer DEFAULT 1 NOT NULL,
    night_logo_version integer DEFAULT 1 NOT NULL,
    upload_quota bigint,
    deletion_began_at timestamp with time zone,
    resolve_topics_policy smallint DEFAULT 1 NOT NULL,
    guests_see_only_shared_people boolean DEFAULT false NOT NULL,
    enable_read_receipts boolean DEFAULT true NOT NULL,
    CONSTRAINT organization_bot_creation_policy_check CHECK (((bot_creation_policy >= 1) AND (bot_creation_policy <= 3))),
    CONSTRAINT organization_create_stream_policy_check CHECK (((create_stream_policy >= 1) AND (create_stream_policy <= 3))),
    CONSTRAINT organization_deletion_check CHECK (((deletion_began_at IS NULL) OR (deactivated_at IS NOT NULL))),
    CONSTRAINT organization_digest_weekday_check CHECK (((digest_weekday >= 0) AND (digest_weekday <= 6))),
    CONSTRAINT organization_email_address_visibility_check CHECK ((email_address_visibility = ANY (ARRAY[1, 3, 4]))),
    CONSTRAINT organization_icon_source_check CHECK ((icon_source = ANY (ARRAY['external'::text, 'uploaded'::text]))),
    CONSTRAINT organization_invite_to_stream_policy_check CHECK (((invite_to_stream_policy >= 1) AND (invite_to_stream_policy <= 3))),
    CONSTRAINT organization_logo_source_check CHECK ((logo_source = ANY (ARRAY['default'::text, 'uploaded'::text]))),
    CONSTRAINT organization_message_content_delete_limit_seconds_check CHECK ((message_content_delete_limit_seconds >= 0)),
    CONSTRAINT organization_message_content_edit_limit_seconds_check CHECK ((message_content_edit_limit_seconds >= 0)),
    CONSTRAINT organization_message_retention_days_check CHECK (((message_retention_days = '-1'::integer) OR (message_retention_days > 0))),
    CONSTRAINT organization_night_logo_source_check CHECK ((night_logo_source = ANY (ARRAY['default'::text, 'uploaded'::text]))),
    CONSTRAINT organization_plan_type_check CHECK (((plan_type >= 1) AND (plan_type <= 4))),
    CONSTRAINT organization_private_message_policy_check CHECK ((private_message_policy = ANY (ARRAY[1, 2]))),
    CONSTRAINT organization_resolve_topics_policy_check CHECK (((resolve_topics_policy >= 1) AND (resolve_topics_policy <= 3))),
    CONSTRAINT organization_subdomain_check CHECK ((subdomain ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?)?$'::text)),
    CONSTRAINT organization_user_group_edit_policy_check CHECK ((user_group_edit_policy = ANY (ARRAY[1, 2]))),
    CONSTRAINT organization_video_chat_provider_check CHECK ((video_chat_provider >= 0)),
    CONSTRAINT organization_waiting_period_threshold_check CHECK ((waiting_period_threshold >= 0))
);

CREATE TABLE public.organization_deletion (
    organization_id bigint NOT NULL,
    deleted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.organization_domain (
    organization_id bigint NOT NULL,
    domain text NOT NULL,
    allow_subdomains boolean NOT NULL,
    id bigint NOT NULL,
    CONSTRAINT organization_domain_domain_check CHECK ((domain = lower(domain)))
);

ALTER TABLE public.organization_domain ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organization_domain_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.organization ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organization_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.organization_import (
    organization_id bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE SEQUENCE public.outbox_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.outbox (
    tx xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint DEFAULT nextval('public.outbox_id'::regclass) NOT NULL,
    organization_id bigint NOT NULL,
    width integer DEFAULT 1 NOT NULL,
    header json NOT NULL,
    event text,
    CONSTRAINT outbox_width_check CHECK ((width > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='1000000');

CREATE TABLE public.outgoing_webhook_call (
    organization_id bigint NOT NULL,
    bot_id bigint NOT NULL,
    message_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    claimed_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.own_export (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    began_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.owner_notice (
    organization_id bigint NOT NULL,
    bot_id bigint NOT NULL,
    told_at timestamp with time zone NOT NULL
);

CREATE TABLE public.password_reset (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    email text NOT NULL,
    user_id bigint,
    key_hash bytea NOT NULL,
    key_sealed bytea NOT NULL,
    origin text NOT NULL,
    network cidr,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    lifetime_hours integer DEFAULT 1 NOT NULL
);

ALTER TABLE public.password_reset ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.password_reset_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.presence (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    client text NOT NULL,
    active_at timestamp with time zone,
    idle_at timestamp with time zone,
    CONSTRAINT presence_check CHECK (((active_at IS NOT NULL) OR (idle_at IS NOT NULL)))
)
WITH (fillfactor='60');

CREATE TABLE public.profile_field (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    type smallint NOT NULL,
    hint text NOT NULL,
    field_data text NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT profile_field_type_check CHECK (((type >= 1) AND (type <= 7)))
);

ALTER TABLE public.profile_field ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.profile_field_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.profile_value (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    field_id bigint NOT NULL,
    value text NOT NULL,
    rendered_value text
);

CREATE TABLE public.reaction (
    organization_id bigint NOT NULL,
    message_id bigint NOT NULL,
    user_id bigint NOT NULL,
    reaction_type text NOT NULL,
    emoji_code text NOT NULL,
    emoji_name text NOT NULL,
    id bigint NOT NULL
);

ALTER TABLE public.reaction ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.reaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.read_mark (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    message_id bigint NOT NULL,
    is_read boolean NOT NULL
);

CREATE TABLE public.role_period (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    role smallint NOT NULL,
    from_outbox_id bigint NOT NULL,
    to_outbox_id bigint,
    from_message_id bigint NOT NULL,
    to_message_id bigint
);

CREATE TABLE public.scheduled_message (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    sender_id bigint NOT NULL,
    is_reminder boolean NOT NULL,
    stream_id bigint,
    topic text NOT NULL,
    people bigint[],
    content text NOT NULL,
    rendered_content text NOT NULL,
    widget_content text,
    client text NOT NULL,
    origin text NOT NULL,
    is_read_by_sender boolean NOT NULL,
    deliver_at timestamp with time zone NOT NULL,
    attempt_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    failure text,
    revision integer DEFAULT 1 NOT NULL,
    awaits_notice boolean DEFAULT false NOT NULL,
    CONSTRAINT scheduled_message_check CHECK (((stream_id IS NULL) <> (people IS NULL)))
);

ALTER TABLE public.scheduled_message ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.scheduled_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.scheduled_sender (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    claimed_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    claimed_by uuid
);

CREATE TABLE public.schema_function (
    version text NOT NULL,
    path text NOT NULL,
    functions text[] NOT NULL,
    types text[] NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.schema_migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.schema_requirement (
    migration text NOT NULL,
    needs text NOT NULL
);

CREATE TABLE public.server (
    only_row boolean DEFAULT true NOT NULL,
    secret_fingerprint bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    old_secret_fingerprint bytea,
    hash_key_sealed bytea,
    secret_rotated_at timestamp with time zone,
    jobs_held_since timestamp with time zone,
    backed_up_at timestamp with time zone,
    CONSTRAINT server_only_row_check CHECK (only_row)
);

CREATE TABLE public.session (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    is_trusted boolean NOT NULL,
    user_agent text NOT NULL,
    address text NOT NULL
);

ALTER TABLE public.session ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.session_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sign_in_failure (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    username text NOT NULL,
    network cidr NOT NULL,
    judged_at timestamp with time zone NOT NULL
);

ALTER TABLE public.sign_in_failure ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sign_in_failure_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.sign_in_network (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    network cidr NOT NULL,
    last_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sign_up (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    email text NOT NULL,
    invitation_id bigint,
    key_hash bytea NOT NULL,
    key_sealed bytea NOT NULL,
    origin text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone
);

ALTER TABLE public.sign_up ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sign_up_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stream_folder (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    folded_name text NOT NULL,
    description text NOT NULL,
    rendered_description text NOT NULL,
    "position" integer NOT NULL,
    is_archived boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    creator_id bigint
);

ALTER TABLE public.stream_folder ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stream_folder_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stream_section (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    "position" smallint NOT NULL,
    kind text NOT NULL,
    name text,
    folder_id bigint,
    stream_ids bigint[] NOT NULL,
    CONSTRAINT stream_section_check CHECK (((kind = 'own'::text) = (name IS NOT NULL))),
    CONSTRAINT stream_section_check1 CHECK (((kind = 'shared'::text) = (folder_id IS NOT NULL))),
    CONSTRAINT stream_section_kind_check CHECK ((kind = ANY (ARRAY['pinned'::text, 'own'::text, 'shared'::text, 'other'::text])))
);

CREATE TABLE public.stream_traffic (
    organization_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    day date NOT NULL,
    messages integer NOT NULL,
    CONSTRAINT stream_traffic_messages_check CHECK ((messages > 0))
);

CREATE TABLE public.submessage (
    organization_id bigint NOT NULL,
    message_id bigint NOT NULL,
    id bigint DEFAULT nextval('public.message_id'::regclass) NOT NULL,
    sender_id bigint NOT NULL,
    msg_type text NOT NULL,
    content text NOT NULL
);

CREATE TABLE public.subscription (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    is_active boolean NOT NULL,
    color text NOT NULL,
    is_muted boolean DEFAULT false NOT NULL,
    pin_to_top boolean DEFAULT false NOT NULL,
    desktop_notifications boolean,
    audible_notifications boolean,
    push_notifications boolean,
    email_notifications boolean,
    wildcard_mentions_notify boolean,
    read_to bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.subscription_period (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    from_outbox_id bigint NOT NULL,
    to_outbox_id bigint,
    from_message_id bigint NOT NULL,
    to_message_id bigint
);

CREATE TABLE public.user_account (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    delivery_email text NOT NULL,
    full_name text NOT NULL,
    role smallint NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    bot_type smallint,
    bot_owner_id bigint,
    password_hash text,
    api_key_hash bytea NOT NULL,
    api_key_sealed bytea NOT NULL,
    avatar_source text DEFAULT 'external'::text NOT NULL,
    avatar_version integer DEFAULT 1 NOT NULL,
    timezone text DEFAULT ''::text NOT NULL,
    date_joined timestamp with time zone DEFAULT now() NOT NULL,
    erased_at timestamp with time zone,
    CONSTRAINT user_account_avatar_source_check CHECK ((avatar_source = ANY (ARRAY['external'::text, 'uploaded'::text]))),
    CONSTRAINT user_account_bot_type_check CHECK (((bot_type >= 1) AND (bot_type <= 4))),
    CONSTRAINT user_account_check CHECK (((bot_owner_id IS NULL) OR (bot_type IS NOT NULL))),
    CONSTRAINT user_account_check1 CHECK (((bot_type IS NULL) OR (password_hash IS NULL))),
    CONSTRAINT user_account_role_check CHECK ((role = ANY (ARRAY[100, 200, 300, 400, 600])))
);

ALTER TABLE public.user_account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.user_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.system_account (
    id bigint DEFAULT nextval('public.user_account_id_seq'::regclass) NOT NULL,
    email text NOT NULL,
    full_name text NOT NULL
);

CREATE TABLE public.topic_attention (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    topic text NOT NULL,
    folded_topic text NOT NULL,
    policy smallint NOT NULL,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT topic_attention_policy_check CHECK ((policy = ANY (ARRAY[2, 3])))
);

CREATE TABLE public.traffic_count (
    organization_id bigint NOT NULL,
    counted_to bigint NOT NULL
);

CREATE TABLE public.unfinished_upload (
    path_id text NOT NULL,
    organization_id bigint NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.upload (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    owner_id bigint NOT NULL,
    path_id text NOT NULL,
    file_name text NOT NULL,
    size bigint NOT NULL,
    content_type text NOT NULL,
    sha256 text NOT NULL,
    width integer,
    height integer,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    unclaimed_since timestamp with time zone DEFAULT clock_timestamp(),
    is_animated boolean,
    thumbnail_formats text[],
    thumbnail_attempts smallint DEFAULT 0 NOT NULL,
    is_hidden_from_owner boolean DEFAULT false NOT NULL
);

CREATE TABLE public.upload_claim (
    organization_id bigint NOT NULL,
    upload_id bigint NOT NULL,
    message_id bigint NOT NULL
);

CREATE TABLE public.upload_hold (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    upload_id bigint NOT NULL,
    owner_id bigint NOT NULL,
    draft_id bigint,
    scheduled_message_id bigint,
    CONSTRAINT upload_hold_check CHECK (((draft_id IS NULL) <> (scheduled_message_id IS NULL)))
);

ALTER TABLE public.upload_hold ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.upload_hold_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.upload ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.upload_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.upload_usage (
    organization_id bigint NOT NULL,
    bytes bigint NOT NULL
);

CREATE TABLE public.user_erasure (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    deletes_messages boolean NOT NULL,
    searched_to bigint DEFAULT 0 NOT NULL,
    began_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.user_group (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    description text NOT NULL
);

ALTER TABLE public.user_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.user_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_group_member (
    organization_id bigint NOT NULL,
    group_id bigint NOT NULL,
    user_id bigint NOT NULL
);

CREATE TABLE public.user_group_subgroup (
    organization_id bigint NOT NULL,
    group_id bigint NOT NULL,
    subgroup_id bigint NOT NULL
);

CREATE TABLE public.user_message (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    message_id bigint NOT NULL,
    is_private boolean NOT NULL,
    is_unread boolean DEFAULT false NOT NULL,
    is_starred boolean DEFAULT false NOT NULL,
    is_collapsed boolean DEFAULT false NOT NULL,
    is_mentioned boolean DEFAULT false NOT NULL,
    has_alert_word boolean DEFAULT false NOT NULL,
    is_historical boolean DEFAULT false NOT NULL
)
WITH (fillfactor='90');

CREATE TABLE public.user_setting (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    enter_sends boolean DEFAULT false NOT NULL,
    color_scheme smallint DEFAULT 1 NOT NULL,
    default_language text DEFAULT 'en'::text NOT NULL,
    demote_inactive_streams smallint DEFAULT 1 NOT NULL,
    dense_mode boolean DEFAULT true NOT NULL,
    emojiset text DEFAULT 'google-blob'::text NOT NULL,
    fluid_layout_width boolean DEFAULT false NOT NULL,
    high_contrast_mode boolean DEFAULT false NOT NULL,
    left_side_userlist boolean DEFAULT false NOT NULL,
    starred_message_counts boolean DEFAULT false NOT NULL,
    translate_emoticons boolean DEFAULT false NOT NULL,
    twenty_four_hour_time boolean DEFAULT false NOT NULL,
    desktop_icon_count_display smallint DEFAULT 1 NOT NULL,
    enable_desktop_notifications boolean DEFAULT true NOT NULL,
    enable_digest_emails boolean DEFAULT true NOT NULL,
    enable_login_emails boolean DEFAULT true NOT NULL,
    enable_offline_email_notifications boolean DEFAULT true NOT NULL,
    enable_offline_push_notifications boolean DEFAULT true NOT NULL,
    enable_online_push_notifications boolean DEFAULT true NOT NULL,
    enable_sounds boolean DEFAULT true NOT NULL,
    enable_stream_audible_notifications boolean DEFAULT false NOT NULL,
    enable_stream_desktop_notifications boolean DEFAULT false NOT NULL,
    enable_stream_email_notifications boolean DEFAULT false NOT NULL,
    enable_stream_push_notifications boolean DEFAULT false NOT NULL,
    message_content_in_email_notifications boolean DEFAULT true NOT NULL,
    notification_sound text DEFAULT 'chat'::text NOT NULL,
    pm_content_in_desktop_notifications boolean DEFAULT true NOT NULL,
    presence_enabled boolean DEFAULT true NOT NULL,
    realm_name_in_notifications boolean DEFAULT false NOT NULL,
    wildcard_mentions_notify boolean DEFAULT true NOT NULL,
    read_to bigint DEFAULT 0 NOT NULL,
    tutorial_status text DEFAULT 'waiting'::text NOT NULL,
    seen_hotspots text[] DEFAULT '{}'::text[] NOT NULL,
    automatically_follow_topics_policy smallint DEFAULT 3 NOT NULL,
    automatically_unmute_topics_in_muted_streams_policy smallint DEFAULT 2 NOT NULL,
    automatically_follow_topics_where_mentioned boolean DEFAULT true NOT NULL,
    send_read_receipts boolean DEFAULT true NOT NULL,
    CONSTRAINT user_setting_automatically_follow_topics_policy_check CHECK (((automatically_follow_topics_policy >= 1) AND (automatically_follow_topics_policy <= 4))),
    CONSTRAINT user_setting_automatically_unmute_topics_in_muted_streams_check CHECK (((automatically_unmute_topics_in_muted_streams_policy >= 1) AND (automatically_unmute_topics_in_muted_streams_policy <= 4))),
    CONSTRAINT user_setting_color_scheme_check CHECK (((color_scheme >= 1) AND (color_scheme <= 3))),
    CONSTRAINT user_setting_demote_inactive_streams_check CHECK (((demote_inactive_streams >= 1) AND (demote_inactive_streams <= 3))),
    CONSTRAINT user_setting_desktop_icon_count_display_check CHECK (((desktop_icon_count_display >= 1) AND (desktop_icon_count_display <= 3))),
    CONSTRAINT user_setting_emojiset_check CHECK ((emojiset = ANY (ARRAY['google'::text, 'google-blob'::text, 'twitter'::text, 'text'::text]))),
    CONSTRAINT user_setting_tutorial_status_check CHECK ((tutorial_status = ANY (ARRAY['waiting'::text, 'started'::text, 'finished'::text])))
);

CREATE TABLE public.user_status (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_away boolean NOT NULL,
    status_text text NOT NULL,
    CONSTRAINT user_status_check CHECK ((is_away OR (status_text <> ''::text)))
);

CREATE TABLE public.webhook_failure (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    bot_id bigint NOT NULL,
    integration text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    code text NOT NULL,
    reason text NOT NULL,
    query text NOT NULL,
    headers json NOT NULL,
    body bytea,
    body_bytes integer NOT NULL,
    is_signed boolean NOT NULL,
    owner_id bigint
);

ALTER TABLE public.webhook_failure ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.webhook_failure_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.alert_word
    ADD CONSTRAINT alert_word_pkey PRIMARY KEY (organization_id, user_id, word);

ALTER TABLE ONLY public.background_migration
    ADD CONSTRAINT background_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.bot_service
    ADD CONSTRAINT bot_service_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.bot_setting
    ADD CONSTRAINT bot_setting_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.bot_storage
    ADD CONSTRAINT bot_storage_pkey PRIMARY KEY (organization_id, user_id, key_digest);

ALTER TABLE ONLY public.conversation_member
    ADD CONSTRAINT conversation_member_pkey PRIMARY KEY (organization_id, user_id, conversation_id);

ALTER TABLE ONLY public.conversation
    ADD CONSTRAINT conversation_organization_id_members_digest_key UNIQUE (organization_id, members_digest);

ALTER TABLE ONLY public.conversation
    ADD CONSTRAINT conversation_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.custom_emoji
    ADD CONSTRAINT custom_emoji_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.data_export
    ADD CONSTRAINT data_export_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.default_stream_group
    ADD CONSTRAINT default_stream_group_name_key UNIQUE (organization_id, name);

ALTER TABLE ONLY public.default_stream_group
    ADD CONSTRAINT default_stream_group_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.default_stream_group_stream
    ADD CONSTRAINT default_stream_group_stream_pkey PRIMARY KEY (organization_id, group_id, stream_id);

ALTER TABLE ONLY public.default_stream
    ADD CONSTRAINT default_stream_pkey PRIMARY KEY (organization_id, stream_id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (organization_id, kind, token_digest);

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_pkey PRIMARY KEY (organization_id, user_id, id);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.event_batch
    ADD CONSTRAINT event_batch_pkey PRIMARY KEY (organization_id, last_seq, part);

ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.event_log
    ADD CONSTRAINT event_log_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.event_part
    ADD CONSTRAINT event_part_pkey PRIMARY KEY (part);

ALTER TABLE ONLY public.event_queue
    ADD CONSTRAINT event_queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotent_answer
    ADD CONSTRAINT idempotent_answer_pkey PRIMARY KEY (organization_id, user_id, key);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.invitation_stream
    ADD CONSTRAINT invitation_stream_pkey PRIMARY KEY (organization_id, invitation_id, stream_id);

ALTER TABLE ONLY public.invited_user
    ADD CONSTRAINT invited_user_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.job_runner
    ADD CONSTRAINT job_runner_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.link_page
    ADD CONSTRAINT link_page_pkey PRIMARY KEY (organization_id, url);

ALTER TABLE ONLY public.link_preview_request
    ADD CONSTRAINT link_preview_request_pkey PRIMARY KEY (organization_id, message_id);

ALTER TABLE ONLY public.linkifier
    ADD CONSTRAINT linkifier_pattern_key UNIQUE (organization_id, pattern);

ALTER TABLE ONLY public.linkifier
    ADD CONSTRAINT linkifier_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.login_attempt
    ADD CONSTRAINT login_attempt_pkey PRIMARY KEY (organization_id, username);

ALTER TABLE ONLY public.message_edit
    ADD CONSTRAINT message_edit_pkey PRIMARY KEY (organization_id, message_id, id);

ALTER TABLE ONLY public.message_id_gap
    ADD CONSTRAINT message_id_gap_pkey PRIMARY KEY (first_id);

ALTER TABLE ONLY public.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.message_stay
    ADD CONSTRAINT message_stay_pkey PRIMARY KEY (organization_id, message_id, from_id);

ALTER TABLE ONLY public.muted_topic
    ADD CONSTRAINT muted_topic_pkey PRIMARY KEY (organization_id, user_id, stream_id, folded_topic);

ALTER TABLE ONLY public.muted_user
    ADD CONSTRAINT muted_user_pkey PRIMARY KEY (organization_id, user_id, muted_user_id);

ALTER TABLE ONLY public.node_secret
    ADD CONSTRAINT node_secret_pkey PRIMARY KEY (node);

ALTER TABLE ONLY public.organization_deletion
    ADD CONSTRAINT organization_deletion_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.organization_domain
    ADD CONSTRAINT organization_domain_pkey PRIMARY KEY (organization_id, domain);

ALTER TABLE ONLY public.organization_import
    ADD CONSTRAINT organization_import_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_subdomain_key UNIQUE (subdomain);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.outgoing_webhook_call
    ADD CONSTRAINT outgoing_webhook_call_pkey PRIMARY KEY (organization_id, bot_id, message_id);

ALTER TABLE ONLY public.own_export
    ADD CONSTRAINT own_export_pkey PRIMARY KEY (organization_id, user_id, began_at);

ALTER TABLE ONLY public.owner_notice
    ADD CONSTRAINT owner_notice_pkey PRIMARY KEY (organization_id, bot_id);

ALTER TABLE ONLY public.password_reset
    ADD CONSTRAINT password_reset_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.password_reset
    ADD CONSTRAINT password_reset_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.presence
    ADD CONSTRAINT presence_pkey PRIMARY KEY (organization_id, user_id, client);

ALTER TABLE ONLY public.profile_field
    ADD CONSTRAINT profile_field_name_key UNIQUE (organization_id, name);

ALTER TABLE ONLY public.profile_field
    ADD CONSTRAINT profile_field_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.profile_value
    ADD CONSTRAINT profile_value_pkey PRIMARY KEY (organization_id, user_id, field_id);

ALTER TABLE ONLY public.reaction
    ADD CONSTRAINT reaction_pkey PRIMARY KEY (organization_id, message_id, user_id, reaction_type, emoji_code);

ALTER TABLE ONLY public.read_mark
    ADD CONSTRAINT read_mark_pkey PRIMARY KEY (organization_id, user_id, stream_id, message_id);

ALTER TABLE ONLY public.role_period
    ADD CONSTRAINT role_period_pkey PRIMARY KEY (organization_id, user_id, from_outbox_id);

ALTER TABLE ONLY public.scheduled_message
    ADD CONSTRAINT scheduled_message_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.scheduled_sender
    ADD CONSTRAINT scheduled_sender_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.schema_function
    ADD CONSTRAINT schema_function_pkey PRIMARY KEY (version);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.schema_requirement
    ADD CONSTRAINT schema_requirement_pkey PRIMARY KEY (migration);

ALTER TABLE ONLY public.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.sign_in_failure
    ADD CONSTRAINT sign_in_failure_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.sign_in_network
    ADD CONSTRAINT sign_in_network_pkey PRIMARY KEY (organization_id, user_id, network);

ALTER TABLE ONLY public.sign_up
    ADD CONSTRAINT sign_up_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.sign_up
    ADD CONSTRAINT sign_up_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_email_token_key UNIQUE (email_token);

ALTER TABLE ONLY public.stream_folder
    ADD CONSTRAINT stream_folder_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_name_key UNIQUE (organization_id, folded_name);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.stream_section
    ADD CONSTRAINT stream_section_pkey PRIMARY KEY (organization_id, user_id, "position");

ALTER TABLE ONLY public.stream_traffic
    ADD CONSTRAINT stream_traffic_pkey PRIMARY KEY (organization_id, stream_id, day);

ALTER TABLE ONLY public.submessage
    ADD CONSTRAINT submessage_pkey PRIMARY KEY (organization_id, message_id, id);

ALTER TABLE ONLY public.subscription_period
    ADD CONSTRAINT subscription_period_pkey PRIMARY KEY (organization_id, user_id, stream_id, from_outbox_id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (organization_id, user_id, stream_id);

ALTER TABLE ONLY public.system_account
    ADD CONSTRAINT system_account_email_key UNIQUE (email);

ALTER TABLE ONLY public.system_account
    ADD CONSTRAINT system_account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.topic_attention
    ADD CONSTRAINT topic_attention_pkey PRIMARY KEY (organization_id, user_id, stream_id, folded_topic);

ALTER TABLE ONLY public.traffic_count
    ADD CONSTRAINT traffic_count_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.unfinished_upload
    ADD CONSTRAINT unfinished_upload_pkey PRIMARY KEY (path_id);

ALTER TABLE ONLY public.upload_claim
    ADD CONSTRAINT upload_claim_pkey PRIMARY KEY (organization_id, upload_id, message_id);

ALTER TABLE ONLY public.upload_hold
    ADD CONSTRAINT upload_hold_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_path_id_key UNIQUE (path_id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.upload_usage
    ADD CONSTRAINT upload_usage_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_api_key_hash_key UNIQUE (api_key_hash);

ALTER TABLE public.user_account
    ADD CONSTRAINT user_account_erased_check CHECK (((erased_at IS NULL) OR (NOT is_active))) NOT VALID;

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.user_erasure
    ADD CONSTRAINT user_erasure_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.user_group_member
    ADD CONSTRAINT user_group_member_pkey PRIMARY KEY (organization_id, group_id, user_id);

ALTER TABLE ONLY public.user_group
    ADD CONSTRAINT user_group_name_key UNIQUE (organization_id, name);

ALTER TABLE ONLY public.user_group
    ADD CONSTRAINT user_group_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.user_group_subgroup
    ADD CONSTRAINT user_group_subgroup_pkey PRIMARY KEY (organization_id, group_id, subgroup_id);

ALTER TABLE ONLY public.user_message
    ADD CONSTRAINT user_message_pkey PRIMARY KEY (organization_id, user_id, message_id);

ALTER TABLE ONLY public.user_setting
    ADD CONSTRAINT user_setting_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.user_status
    ADD CONSTRAINT user_status_pkey PRIMARY KEY (organization_id, user_id);

ALTER TABLE ONLY public.webhook_failure
    ADD CONSTRAINT webhook_failure_pkey PRIMARY KEY (organization_id, id);

CREATE INDEX bot_setting_events_stream ON public.bot_setting USING btree (organization_id, default_events_register_stream_id) WHERE (default_events_register_stream_id IS NOT NULL);

CREATE INDEX bot_setting_sending_stream ON public.bot_setting USING btree (organization_id, default_sending_stream_id) WHERE (default_sending_stream_id IS NOT NULL);

CREATE UNIQUE INDEX custom_emoji_name_key ON public.custom_emoji USING btree (organization_id, name) WHERE (NOT is_deactivated);

CREATE INDEX default_stream_group_stream_stream ON public.default_stream_group_stream USING btree (organization_id, stream_id);

CREATE INDEX device_owner ON public.device USING btree (organization_id, user_id, added_at);

CREATE INDEX email_change_created ON public.email_change USING btree (created_at);

CREATE INDEX email_change_user ON public.email_change USING btree (organization_id, user_id);

CREATE INDEX event_batch_hole ON ONLY public.event_batch USING btree (organization_id, first_seq, last_seq) WHERE (records IS NULL);

CREATE INDEX event_queue_user ON public.event_queue USING btree (organization_id, user_id);

CREATE INDEX idempotent_answer_created ON public.idempotent_answer USING btree (created_at);

CREATE INDEX invitation_email ON public.invitation USING btree (organization_id, lower(email));

CREATE INDEX invitation_invited ON public.invitation USING btree (organization_id, invited_at);

CREATE INDEX link_page_fetch_began_at ON public.link_page USING btree (fetch_began_at);

CREATE INDEX link_page_requests ON public.link_page USING btree (organization_id, requested_by, fetch_began_at);

CREATE INDEX link_preview_request_due_at ON public.link_preview_request USING btree (due_at);

CREATE INDEX link_preview_request_waits_for ON public.link_preview_request USING btree (organization_id, waits_for) WHERE (waits_for IS NOT NULL);

CREATE INDEX message_moved_from ON public.message USING btree (organization_id, sent_recipient_id, id) WHERE (recipient_id <> sent_recipient_id);

CREATE INDEX message_moved_to ON public.message USING btree (organization_id, recipient_id, id) WHERE (recipient_id <> sent_recipient_id);

CREATE INDEX message_search ON public.message USING gin (public.search_keys(recipient_id, sent_recipient_id, id, words, topic_words)) WITH (fastupdate=off);

CREATE INDEX message_sender ON public.message USING btree (organization_id, sender_id, id);

CREATE INDEX message_sent ON public.message USING btree (organization_id, sent_recipient_id, id);

CREATE INDEX message_topic ON public.message USING btree (organization_id, recipient_id, folded_topic, id);

CREATE INDEX message_wildcard ON public.message USING btree (organization_id, id) WHERE mentions_wildcard;

CREATE INDEX message_without_words ON public.message USING btree (organization_id, id) WHERE (words IS NULL);

CREATE INDEX muted_topic_stream ON public.muted_topic USING btree (organization_id, stream_id);

CREATE INDEX muted_topic_topic ON public.muted_topic USING btree (organization_id, stream_id, folded_topic);

CREATE INDEX muted_user_by ON public.muted_user USING btree (organization_id, muted_user_id, user_id);

CREATE INDEX own_export_began_at ON public.own_export USING btree (began_at);

CREATE INDEX password_reset_created ON public.password_reset USING btree (created_at);

CREATE INDEX password_reset_email ON public.password_reset USING btree (organization_id, email);

CREATE INDEX password_reset_network ON public.password_reset USING btree (network, created_at) WHERE (network IS NOT NULL);

CREATE INDEX password_reset_user ON public.password_reset USING btree (organization_id, user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX profile_value_field ON public.profile_value USING btree (organization_id, field_id);

CREATE INDEX read_mark_unread ON public.read_mark USING btree (organization_id, user_id, message_id) WHERE (NOT is_read);

CREATE INDEX role_period_began ON public.role_period USING btree (organization_id, from_outbox_id);

CREATE UNIQUE INDEX role_period_open ON public.role_period USING btree (organization_id, user_id) WHERE (to_outbox_id IS NULL);

CREATE INDEX scheduled_message_awaits_notice ON public.scheduled_message USING btree (organization_id, sender_id) WHERE awaits_notice;

CREATE INDEX scheduled_message_due ON public.scheduled_message USING btree (attempt_at, organization_id, sender_id) WHERE (failure IS NULL);

CREATE INDEX scheduled_message_sender ON public.scheduled_message USING btree (organization_id, sender_id, deliver_at, id);

CREATE INDEX session_account ON public.session USING btree (organization_id, user_id);

CREATE INDEX session_expires_at ON public.session USING btree (expires_at);

CREATE UNIQUE INDEX session_token ON public.session USING btree (token_hash);

CREATE INDEX sign_in_failure_network ON public.sign_in_failure USING btree (network, judged_at);

CREATE INDEX sign_in_failure_username ON public.sign_in_failure USING btree (organization_id, username, judged_at);

CREATE INDEX sign_up_created ON public.sign_up USING btree (organization_id, created_at);

CREATE INDEX sign_up_email ON public.sign_up USING btree (organization_id, lower(email));

CREATE UNIQUE INDEX stream_folder_name_key ON public.stream_folder USING btree (organization_id, folded_name) WHERE (NOT is_archived);

CREATE INDEX stream_with_rights ON public.stream USING btree (organization_id) WHERE (rights <> '{}'::jsonb);

CREATE INDEX subscription_members ON public.subscription USING btree (organization_id, stream_id, user_id) WHERE is_active;

CREATE INDEX subscription_period_ended ON public.subscription_period USING btree (organization_id, stream_id, to_outbox_id) WHERE (to_outbox_id IS NOT NULL);

CREATE UNIQUE INDEX subscription_period_open ON public.subscription_period USING btree (organization_id, stream_id, user_id) INCLUDE (from_outbox_id) WHERE (to_outbox_id IS NULL);

CREATE INDEX topic_attention_topic ON public.topic_attention USING btree (organization_id, stream_id, folded_topic, policy, user_id);

CREATE INDEX upload_claim_message ON public.upload_claim USING btree (organization_id, message_id);

CREATE INDEX upload_hold_draft ON public.upload_hold USING btree (organization_id, owner_id, draft_id) WHERE (draft_id IS NOT NULL);

CREATE INDEX upload_hold_scheduled_message ON public.upload_hold USING btree (organization_id, scheduled_message_id) WHERE (scheduled_message_id IS NOT NULL);

CREATE INDEX upload_hold_upload ON public.upload_hold USING btree (organization_id, upload_id);

CREATE INDEX upload_owner ON public.upload USING btree (organization_id, owner_id, id);

CREATE INDEX upload_random_part ON public.upload USING btree (organization_id, split_part(path_id, '/'::text, 3));

CREATE INDEX upload_recent ON public.upload USING btree (organization_id, owner_id, created_at) INCLUDE (size);

CREATE INDEX upload_unclaimed ON public.upload USING btree (organization_id, unclaimed_since) WHERE (unclaimed_since IS NOT NULL);

CREATE INDEX user_account_bot_owner ON public.user_account USING btree (organization_id, bot_owner_id) WHERE (bot_owner_id IS NOT NULL);

CREATE INDEX user_account_comparable_name ON public.user_account USING btree (organization_id, lower(NORMALIZE(full_name, NFKC)));

CREATE UNIQUE INDEX user_account_email_key ON public.user_account USING btree (organization_id, lower(delivery_email));

CREATE INDEX user_account_guests ON public.user_account USING btree (organization_id, id) WHERE (role = 600);

CREATE INDEX user_account_inactive ON public.user_account USING btree (organization_id, id) WHERE (NOT is_active);

CREATE INDEX user_account_name ON public.user_account USING btree (organization_id, lower(full_name));

CREATE INDEX user_account_owners ON public.user_account USING btree (organization_id) WHERE (role = 100);

CREATE INDEX user_group_member_account ON public.user_group_member USING btree (organization_id, user_id);

CREATE INDEX user_group_subgroup_parent ON public.user_group_subgroup USING btree (organization_id, subgroup_id);

CREATE INDEX user_message_alerted ON public.user_message USING btree (organization_id, user_id, message_id) WHERE has_alert_word;

CREATE INDEX user_message_historical ON public.user_message USING btree (organization_id, user_id, message_id) WHERE is_historical;

CREATE INDEX user_message_mentioned ON public.user_message USING btree (organization_id, user_id, message_id) WHERE is_mentioned;

CREATE INDEX user_message_message ON public.user_message USING btree (organization_id, message_id);

CREATE INDEX user_message_private ON public.user_message USING btree (organization_id, user_id, message_id) WHERE is_private;

CREATE INDEX user_message_starred ON public.user_message USING btree (organization_id, user_id, message_id) WHERE is_starred;

CREATE INDEX user_message_unread ON public.user_message USING btree (organization_id, user_id, message_id) WHERE is_unread;

CREATE INDEX webhook_failure_newest ON public.webhook_failure USING btree (organization_id, bot_id, id DESC);

CREATE INDEX webhook_failure_received_at ON public.webhook_failure USING btree (received_at);

CREATE TRIGGER draft_holds_uploads AFTER INSERT OR UPDATE OF content ON public.draft FOR EACH ROW EXECUTE FUNCTION public.hold_uploads('draft_id');

CREATE TRIGGER forget_presence AFTER UPDATE OF is_active ON public.user_account FOR EACH ROW WHEN ((old.is_active AND (NOT new.is_active))) EXECUTE FUNCTION public.forget_presence();

CREATE TRIGGER message_changed BEFORE UPDATE OF content, topic, recipient_id ON public.message FOR EACH ROW WHEN (((old.content IS DISTINCT FROM new.content) OR (old.topic IS DISTINCT FROM new.topic) OR (old.recipient_id IS DISTINCT FROM new.recipient_id))) EXECUTE FUNCTION public.note_message_change();

CREATE TRIGGER muted_topic_forgets_attention AFTER INSERT ON public.muted_topic FOR EACH ROW EXECUTE FUNCTION public.forget_topic_attention();

CREATE TRIGGER note_members AFTER INSERT ON public.conversation FOR EACH ROW EXECUTE FUNCTION public.note_conversation_members();

CREATE TRIGGER scheduled_message_holds_uploads AFTER INSERT OR UPDATE OF content ON public.scheduled_message FOR EACH ROW EXECUTE FUNCTION public.hold_uploads('scheduled_message_id');

CREATE TRIGGER upload_added AFTER INSERT ON public.upload REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.count_upload_bytes();

CREATE TRIGGER upload_claimed AFTER INSERT OR DELETE ON public.upload_claim FOR EACH ROW EXECUTE FUNCTION public.note_upload_claim();

CREATE TRIGGER upload_held AFTER INSERT OR DELETE ON public.upload_hold FOR EACH ROW EXECUTE FUNCTION public.note_upload_claim();

CREATE TRIGGER upload_removed AFTER DELETE ON public.upload REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.count_upload_bytes();

ALTER TABLE ONLY public.alert_word
    ADD CONSTRAINT alert_word_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.bot_service
    ADD CONSTRAINT bot_service_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.bot_setting
    ADD CONSTRAINT bot_setting_organization_id_default_events_register_stream_fkey FOREIGN KEY (organization_id, default_events_register_stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.bot_setting
    ADD CONSTRAINT bot_setting_organization_id_default_sending_stream_id_fkey FOREIGN KEY (organization_id, default_sending_stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.bot_setting
    ADD CONSTRAINT bot_setting_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.bot_storage
    ADD CONSTRAINT bot_storage_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.conversation
    ADD CONSTRAINT conversation_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.custom_emoji
    ADD CONSTRAINT custom_emoji_organization_id_author_id_fkey FOREIGN KEY (organization_id, author_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.custom_emoji
    ADD CONSTRAINT custom_emoji_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.data_export
    ADD CONSTRAINT data_export_organization_id_acting_user_id_fkey FOREIGN KEY (organization_id, acting_user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.data_export
    ADD CONSTRAINT data_export_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.default_stream_group
    ADD CONSTRAINT default_stream_group_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.default_stream_group_stream
    ADD CONSTRAINT default_stream_group_stream_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.default_stream_group(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.default_stream_group_stream
    ADD CONSTRAINT default_stream_group_stream_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.default_stream
    ADD CONSTRAINT default_stream_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.draft
    ADD CONSTRAINT draft_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.event_queue
    ADD CONSTRAINT event_queue_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.idempotent_answer
    ADD CONSTRAINT idempotent_answer_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.invitation
    ADD CONSTRAINT invitation_organization_id_invited_by_fkey FOREIGN KEY (organization_id, invited_by) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.invitation_stream
    ADD CONSTRAINT invitation_stream_organization_id_invitation_id_fkey FOREIGN KEY (organization_id, invitation_id) REFERENCES public.invitation(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.invitation_stream
    ADD CONSTRAINT invitation_stream_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.invited_user
    ADD CONSTRAINT invited_user_organization_id_invited_by_fkey FOREIGN KEY (organization_id, invited_by) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.invited_user
    ADD CONSTRAINT invited_user_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.link_page
    ADD CONSTRAINT link_page_organization_id_requested_by_fkey FOREIGN KEY (organization_id, requested_by) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.linkifier
    ADD CONSTRAINT linkifier_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.login_attempt
    ADD CONSTRAINT login_attempt_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.muted_topic
    ADD CONSTRAINT muted_topic_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.muted_topic
    ADD CONSTRAINT muted_topic_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.muted_user
    ADD CONSTRAINT muted_user_organization_id_muted_user_id_fkey FOREIGN KEY (organization_id, muted_user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.muted_user
    ADD CONSTRAINT muted_user_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.organization_domain
    ADD CONSTRAINT organization_domain_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.own_export
    ADD CONSTRAINT own_export_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.owner_notice
    ADD CONSTRAINT owner_notice_organization_id_bot_id_fkey FOREIGN KEY (organization_id, bot_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.password_reset
    ADD CONSTRAINT password_reset_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.password_reset
    ADD CONSTRAINT password_reset_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.presence
    ADD CONSTRAINT presence_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.profile_field
    ADD CONSTRAINT profile_field_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.profile_value
    ADD CONSTRAINT profile_value_organization_id_field_id_fkey FOREIGN KEY (organization_id, field_id) REFERENCES public.profile_field(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.profile_value
    ADD CONSTRAINT profile_value_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.role_period
    ADD CONSTRAINT role_period_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.scheduled_message
    ADD CONSTRAINT scheduled_message_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.scheduled_message
    ADD CONSTRAINT scheduled_message_organization_id_sender_id_fkey FOREIGN KEY (organization_id, sender_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.scheduled_message
    ADD CONSTRAINT scheduled_message_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.scheduled_sender
    ADD CONSTRAINT scheduled_sender_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.sign_in_failure
    ADD CONSTRAINT sign_in_failure_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_in_network
    ADD CONSTRAINT sign_in_network_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.sign_up
    ADD CONSTRAINT sign_up_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.sign_up
    ADD CONSTRAINT sign_up_organization_id_invitation_id_fkey FOREIGN KEY (organization_id, invitation_id) REFERENCES public.invitation(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_folder_fkey FOREIGN KEY (organization_id, folder_id) REFERENCES public.stream_folder(organization_id, id);

ALTER TABLE ONLY public.stream_folder
    ADD CONSTRAINT stream_folder_organization_id_creator_id_fkey FOREIGN KEY (organization_id, creator_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.stream_folder
    ADD CONSTRAINT stream_folder_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.stream_section
    ADD CONSTRAINT stream_section_folder_fkey FOREIGN KEY (organization_id, folder_id) REFERENCES public.stream_folder(organization_id, id);

ALTER TABLE ONLY public.stream_section
    ADD CONSTRAINT stream_section_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.stream_traffic
    ADD CONSTRAINT stream_traffic_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.submessage
    ADD CONSTRAINT submessage_organization_id_message_id_fkey FOREIGN KEY (organization_id, message_id) REFERENCES public.message(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.subscription_period
    ADD CONSTRAINT subscription_period_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.topic_attention
    ADD CONSTRAINT topic_attention_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.topic_attention
    ADD CONSTRAINT topic_attention_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.topic_attention
    ADD CONSTRAINT topic_attention_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.traffic_count
    ADD CONSTRAINT traffic_count_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.unfinished_upload
    ADD CONSTRAINT unfinished_upload_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.upload_claim
    ADD CONSTRAINT upload_claim_organization_id_message_id_fkey FOREIGN KEY (organization_id, message_id) REFERENCES public.message(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.upload_claim
    ADD CONSTRAINT upload_claim_organization_id_upload_id_fkey FOREIGN KEY (organization_id, upload_id) REFERENCES public.upload(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.upload_hold
    ADD CONSTRAINT upload_hold_organization_id_owner_id_draft_id_fkey FOREIGN KEY (organization_id, owner_id, draft_id) REFERENCES public.draft(organization_id, user_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.upload_hold
    ADD CONSTRAINT upload_hold_organization_id_scheduled_message_id_fkey FOREIGN KEY (organization_id, scheduled_message_id) REFERENCES public.scheduled_message(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.upload_hold
    ADD CONSTRAINT upload_hold_organization_id_upload_id_fkey FOREIGN KEY (organization_id, upload_id) REFERENCES public.upload(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.upload
    ADD CONSTRAINT upload_organization_id_owner_id_fkey FOREIGN KEY (organization_id, owner_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.upload_usage
    ADD CONSTRAINT upload_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organization_id_bot_owner_id_fkey FOREIGN KEY (organization_id, bot_owner_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.user_erasure
    ADD CONSTRAINT user_erasure_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_group_member
    ADD CONSTRAINT user_group_member_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.user_group(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_group_member
    ADD CONSTRAINT user_group_member_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_group
    ADD CONSTRAINT user_group_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.user_group_subgroup
    ADD CONSTRAINT user_group_subgroup_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.user_group(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_group_subgroup
    ADD CONSTRAINT user_group_subgroup_organization_id_subgroup_id_fkey FOREIGN KEY (organization_id, subgroup_id) REFERENCES public.user_group(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.user_setting
    ADD CONSTRAINT user_setting_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_status
    ADD CONSTRAINT user_status_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.webhook_failure
    ADD CONSTRAINT webhook_failure_organization_id_bot_id_fkey FOREIGN KEY (organization_id, bot_id) REFERENCES public.user_account(organization_id, id);
