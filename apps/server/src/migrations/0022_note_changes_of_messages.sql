-- The message id at which the text, the topic or the stream of a message last changed; null where none ever did. The stream is
-- held meanwhile, so it compares with the bounds of subscription periods: someone who left a private stream keeps a message
-- as they knew it, or not at all. A trigger takes it, because nodes of the release before do not know the column.
alter table message add column changed_id bigint;

-- When older changes were made is not known in ids, so they count as made now.
update message set changed_id = nextval('message_id') where edited_at is not null or arrived_id <> id;

create function note_message_change() returns trigger language plpgsql set search_path from current as $$
begin
  new.changed_id := nextval('message_id');
  return new;
end
$$;

create trigger message_changed before update of content, topic, recipient_id on message
for each row when (
  old.content is distinct from new.content
  or old.topic is distinct from new.topic
  or old.recipient_id is distinct from new.recipient_id)
execute function note_message_change();
