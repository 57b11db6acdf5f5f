-- Accounts of the server itself, such as the one that sends notices. They belong to no organization and cannot sign in.
create table system_account (
  id bigint primary key default nextval('user_account_id_seq'),
  email text not null unique,
  full_name text not null
);
insert into system_account (email, full_name) values ('notification-bot@oxbow.invalid', 'Notification Bot');

alter table stream add column first_message_id bigint;

-- Some people who write to each other; one row for the same people. A message goes to a stream or to one of these, so both
-- take their ids from one sequence.
create table conversation (
  organization_id bigint not null references organization,
  id bigint not null default nextval('stream_id_seq'),
  -- Ascending, each once, whoever writes included.
  members bigint[] not null,
  -- Of the members: an index takes no list of any length.
  members_digest bytea not null,
  primary key (organization_id, id),
  unique (organization_id, members_digest)
);

-- No foreign keys: each would lock a row of another table for every message that is sent. Accounts and streams are never deleted.
create table message (
  organization_id bigint not null,
  id bigint not null,
  -- Where it was sent, which decides who received it and who has read it.
  sent_recipient_id bigint not null,
  -- Where it is now.
  recipient_id bigint not null,
  -- Its own id, or one that was taken when it was moved to where it is.
  arrived_id bigint not null,
  -- The record that told of it.
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
  primary key (organization_id, id)
);
create index message_sent on message (organization_id, sent_recipient_id, id);
create index message_topic on message (organization_id, recipient_id, folded_topic, id);
create index message_sender on message (organization_id, sender_id, id);
-- The few that were moved, by where they came from and by where they are.
create index message_moved_from on message (organization_id, sent_recipient_id, id)
  where recipient_id <> sent_recipient_id;
create index message_moved_to on message (organization_id, recipient_id, id)
  where recipient_id <> sent_recipient_id;
create index message_wildcard on message (organization_id, id) where mentions_wildcard;

-- Where a message was before it was moved to where it is: from when it came there to when it left, in message ids.
create table message_stay (
  organization_id bigint not null,
  message_id bigint not null,
  stream_id bigint not null,
  from_id bigint not null,
  to_id bigint not null,
  primary key (organization_id, message_id, from_id)
);

-- What is someone's own of a message. Everyone in a conversation has a row for each of its messages. Of messages to streams
-- only those have one for whom there is something to say, never everyone who received it.
create table user_message (
  organization_id bigint not null,
  user_id bigint not null,
  message_id bigint not null,
  is_private boolean not null,
  -- Of private messages; for others see read_mark.
  is_unread boolean not null default false,
  is_starred boolean not null default false,
  is_collapsed boolean not null default false,
  is_mentioned boolean not null default false,
  has_alert_word boolean not null default false,
  -- It was not delivered to them: they came across it later.
  is_historical boolean not null default false,
  primary key (organization_id, user_id, message_id)
) with (fillfactor = 90);
create index user_message_message on user_message (organization_id, message_id);
create index user_message_private on user_message (organization_id, user_id, message_id) where is_private;
create index user_message_unread on user_message (organization_id, user_id, message_id) where is_unread;
create index user_message_starred on user_message (organization_id, user_id, message_id) where is_starred;
create index user_message_mentioned on user_message (organization_id, user_id, message_id) where is_mentioned;
create index user_message_alerted on user_message (organization_id, user_id, message_id) where has_alert_word;

-- Messages that were sent to a stream are read below this number and unread from it on, but for those with a mark.
alter table subscription add column read_to bigint not null default 0;
-- The same for everything: the larger one counts.
alter table user_setting add column read_to bigint not null default 0;

create table read_mark (
  organization_id bigint not null,
  user_id bigint not null,
  -- Where the message was sent.
  stream_id bigint not null,
  message_id bigint not null,
  is_read boolean not null,
  primary key (organization_id, user_id, stream_id, message_id)
);

-- What a message was before it was edited. The newest edit has the largest id.
create table message_edit (
  organization_id bigint not null,
  message_id bigint not null,
  id bigint generated always as identity,
  user_id bigint not null,
  edited_at timestamptz not null,
  -- Null where it did not change.
  prev_topic text,
  prev_content text,
  prev_rendered_content text,
  prev_stream_id bigint,
  primary key (organization_id, message_id, id)
);

-- Whoever is mentioned is found by their name.
create index user_account_name on user_account (organization_id, lower(full_name));

create table alert_word (
  organization_id bigint not null,
  user_id bigint not null,
  -- In small letters.
  word text not null,
  primary key (organization_id, user_id, word),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

-- Up to which message an organization's traffic was counted.
create table traffic_count (
  organization_id bigint primary key references organization,
  counted_to bigint not null
);

-- Everything that decides whether someone may send to a stream or to people, and what is shown of it, as text: whoever sends
-- decides by it beforehand, and the send begins again if it is no longer so. Not in plain SQL: PostgreSQL would plan it anew
-- for every send.
create function send_facts(organization bigint, account bigint, key_hash bytea, stream bigint, people bigint[])
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

-- Sends a message, in one round trip. `outcome` is 'sent'; 'facts' where what the sender decided by is no longer so, and
-- nothing was written; 'answered' or 'reused' where a call with this key was made before. It must be volatile: each
-- statement in it sees what was committed before that statement began.
create function send_message(
  organization bigint, account bigint, key_hash bytea, roles_key bigint,
  stream bigint, stream_key bigint, people bigint[], known_facts text,
  -- Whose call this is, where it has a key.
  caller bigint, repetition_key text, repetition_fingerprint bytea,
  given_topic text, given_folded_topic text, given_content text, given_rendered_content text, given_client text,
  links boolean, images boolean, wildcard boolean,
  -- Those who are mentioned or alerted; a row is made for those of them who receive the message, and for these bots.
  noted bigint[], noted_mentions boolean[], noted_alerts boolean[], called_bots bigint[],
  -- Those who have read it at once.
  readers bigint[],
  header text, event_after_timestamp text,
  -- Of the record that tells of the stream's first message, where it had none: the event up to the id.
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
      is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content, rendered_content)
    values (organization, message_id, recipient, recipient, message_id, outbox_id, account, moment,
      stream is null, wildcard, links, images, false, given_client, given_topic, given_folded_topic, given_content,
      given_rendered_content);
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

-- The few that are unread although the numbers say otherwise.
create index read_mark_unread on read_mark (organization_id, user_id, message_id) where not is_read;

-- Whoever changes what someone has read, starred or collapsed holds the row that owns it, so such changes come one after the
-- other. On the way it learns which messages can no longer appear; see `horizon.ts`. It must be volatile: each step sees
-- what was so after the step before.
create function hold_read_state(organization bigint, account bigint)
returns table (own_read_to bigint, newest bigint, xid bigint, xmin bigint, timeline text) language plpgsql volatile as $$
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
  timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  return next;
end $$;

-- Messages that are unread become read; `streams` are those that they were sent to. Each gets a mark, unless the number of its
-- stream can move on over it: then the marks that the number passes go. It passes what is read, and so that it is not
-- held up for good what was moved, which gets a mark that says unread where it may be that. It passes few at a time,
-- so that whoever marks one message does not wait, and never one that can still appear (`horizon`). The account's read state must be held.
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
