import type { TestDatabase } from '@oxbow/testkit'

/**
 * Adds `count` messages to the only organization of a database: copies of those that it has in streams and in
 * private conversations, with their earlier versions, reactions, flags and marks. Messages that were moved are not
 * copied.
 */
export async function copyMessages({ query }: TestDatabase, count: number): Promise<void> {
  await query(`
    with sample as (
      select m.*, row_number() over (order by id) - 1 as place, count(*) over () as total
      from message m where recipient_id = sent_recipient_id and arrived_id = id
    ), copy as materialized (
      select nextval('message_id') as new_id, nextval('outbox_id') as new_outbox_id, ordered.* from (
        select s.*, n from generate_series(0, ${count} - 1) as n join sample s on s.place = n % s.total order by n
      ) as ordered
    ), messages as (
      insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
        edited_at, is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
        rendered_content, words, topic_words)
      select organization_id, new_id, sent_recipient_id, recipient_id, new_id, new_outbox_id, sender_id,
        now() + n * interval '1 ms', edited_at, is_private, mentions_wildcard, has_link, has_image, has_attachment, client,
        topic, folded_topic, content, rendered_content, words, topic_words
      from copy
    ), edits as (
      insert into message_edit (organization_id, message_id, user_id, edited_at, prev_topic, prev_content,
        prev_rendered_content, prev_stream_id)
      select e.organization_id, new_id, e.user_id, e.edited_at, prev_topic, prev_content, prev_rendered_content, prev_stream_id
      from copy join message_edit e on e.organization_id = copy.organization_id and e.message_id = copy.id
    ), reactions as (
      insert into reaction (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
      select r.organization_id, new_id, r.user_id, reaction_type, emoji_code, emoji_name
      from copy join reaction r on r.organization_id = copy.organization_id and r.message_id = copy.id
    ), flags as (
      insert into user_message (organization_id, user_id, message_id, is_private, is_unread, is_starred, is_collapsed,
        is_mentioned, has_alert_word, is_historical)
      select f.organization_id, f.user_id, new_id, f.is_private, is_unread, is_starred, is_collapsed, is_mentioned,
        has_alert_word, is_historical
      from copy join user_message f on f.organization_id = copy.organization_id and f.message_id = copy.id
    )
    insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
    select k.organization_id, k.user_id, k.stream_id, new_id, k.is_read
    from copy join read_mark k on k.organization_id = copy.organization_id and k.message_id = copy.id`)
}
