-- What a message is found by, as numbers: the words of its content and its sender, and the words of its topic and the topic
-- itself. Null while it was not looked at yet: see the job `index_messages`.
alter table message add column words integer[], add column topic_words integer[];
create index message_without_words on message (organization_id, id) where words is null;

-- The upper half of such a number. Places may share one: what is found is looked at again.
create function search_place(recipient bigint, slice bigint)
returns bigint language sql immutable parallel safe as $$
  select ((recipient * 1009 + slice) & 2147483647) << 32
$$;

-- Each word together with where the message is and when it was sent, so that a search touches nothing but what was said in
-- the places that it looks at, and the newest first. What was moved is also where it was sent: there it is found by those who
-- received it. A number of 64 bits: the place and the slice of time in front, so that what is written together stands
-- together in the index. Not in plain SQL: that would be planned anew for every message.
create function search_keys(recipient bigint, sent_recipient bigint, message bigint, words integer[], topic_words integer[])
returns bigint[] language plpgsql immutable parallel safe cost 1000 as $$
declare
  place bigint := search_place(recipient, message >> 20);
  sent_place bigint := search_place(sent_recipient, message >> 20);
  keys bigint[] := array(select place | (word::bigint & 4294967295) from unnest(words || topic_words) as each (word));
begin
  if sent_place = place then
    return keys;
  end if;
  return keys || array(select sent_place | (word::bigint & 4294967295) from unnest(words || topic_words) as each (word));
end $$;

-- Not in a list to be merged later: whoever searches would have to read the list, and a send now and then to merge it.
create index message_search on message using gin (search_keys(recipient_id, sent_recipient_id, id, words, topic_words))
  with (fastupdate = off);

-- Who is in which conversation.
create table conversation_member (
  organization_id bigint not null,
  user_id bigint not null,
  conversation_id bigint not null,
  primary key (organization_id, user_id, conversation_id)
);
insert into conversation_member (organization_id, user_id, conversation_id)
  select organization_id, unnest(members), id from conversation;
-- A trigger, so that nodes of the version before fill it too while a fleet is upgraded.
create function note_conversation_members() returns trigger language plpgsql as $$
begin
  insert into conversation_member (organization_id, user_id, conversation_id)
    select new.organization_id, member.id, new.id from unnest(new.members) as member (id);
  return null;
end $$;
create trigger note_members after insert on conversation for each row execute function note_conversation_members();

-- What someone came across without being there.
create index user_message_historical on user_message (organization_id, user_id, message_id) where is_historical;

-- As before, and with the words. The other one stays for nodes of the version before.
-- Sends a message, in one round trip. `outcome` is 'sent'; 'facts' where what the sender decided by is no longer so, and
-- nothing was written; 'answered' or 'reused' where a call with this key was made before. It must be volatile: each
-- statement in it sees what was committed before that statement began.
create function send_message(
  organization bigint, account bigint, key_hash bytea, roles_key bigint,
  stream bigint, stream_key bigint, people bigint[], known_facts text,
  -- Whose call this is, where it has a key.
  caller bigint, repetition_key text, repetition_fingerprint bytea,
  given_topic text, given_folded_topic text, given_content text, given_rendered_content text, given_client text,
  -- What it is found by; see `search_keys`.
  given_words integer[], given_topic_words integer[],
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
