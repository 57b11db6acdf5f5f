-- pg_restore, ANALYZE and autovacuum run with an empty search_path, so a function that an index or a trigger calls must bring
-- its own. `search_keys` no longer calls `search_place` either: searches call that one themselves.
create or replace function search_keys(recipient bigint, sent_recipient bigint, message bigint, words integer[], topic_words integer[])
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
alter function note_conversation_members() set search_path from current;
alter function forget_presence() set search_path from current;

-- Every read of the log is by organization and number; with `part` in front, each of them scanned all of it.
alter table event_batch drop constraint event_batch_pkey;
alter table event_batch add primary key (organization_id, last_seq, part);
create index event_batch_hole on event_batch (organization_id, first_seq, last_seq) where records is null;
