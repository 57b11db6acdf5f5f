import type { MessageId } from '@oxbow/contract'
import type { Person, World } from '../world.ts'
import { sendToStream } from './messages.ts'

// Helpers that add large messages by SQL, because sending them would take long.

/** The texts of a message. */
export interface LargeText {
  content: string
  html: string
}

/** Adds messages of one sender to a stream, and returns their ids. */
export async function addMessages(
  world: World,
  sender: Person,
  stream: { name: string },
  texts: readonly LargeText[],
): Promise<MessageId[]> {
  const sample = await sendToStream(sender, stream, 'large', 'trellis')
  const rows = await world.database.query<{ id: number }>(
    `with added as materialized (
       select nextval('message_id') as new_id, content, html
       from unnest($2::text[], $3::text[]) with ordinality as text (content, html, place) order by place
     )
     insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
       rendered_content, words, topic_words)
     select organization_id, new_id, sent_recipient_id, recipient_id, new_id, outbox_id, sender_id, sent_at, is_private,
       mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, added.content, added.html, words,
       topic_words
     from message, added where id = $1 returning id::int`,
    [sample, texts.map(({ content }) => content), texts.map(({ html }) => html)],
  )
  await world.owner.messages.remove({ message_id: sample })
  return rows.map(({ id }) => id as MessageId).sort((a, b) => a - b)
}

/** Adds edits to messages, each with an earlier text and HTML of this many bytes. */
export async function addEdits(
  { database }: World,
  ids: readonly MessageId[],
  count: number,
  bytes: number,
): Promise<void> {
  await database.query(
    `insert into message_edit (organization_id, message_id, user_id, edited_at, prev_content, prev_rendered_content)
     select organization_id, id, sender_id, now(), repeat('x', $3), repeat('y', $3)
     from message, generate_series(1, $2) where id = any($1)`,
    [ids, count, bytes],
  )
  await database.query('update message set edited_at = now() where id = any($1)', [ids])
}

/** Adds reactions of the sender to messages, more than one account may add. */
export async function addReactions(
  { database }: World,
  ids: readonly MessageId[],
  count: number,
): Promise<void> {
  await database.query(
    `insert into reaction (organization_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
     select organization_id, id, sender_id, 'unicode_emoji', to_hex(code), 'emoji_' || code
     from message, generate_series(1, $2) as code where id = any($1)`,
    [ids, count],
  )
}

/** Adds submessages of this many equal characters to messages. */
export async function addSubmessages(
  { database }: World,
  ids: readonly MessageId[],
  count: number,
  length: number,
  character = '1',
): Promise<void> {
  await database.query(
    `insert into submessage (organization_id, message_id, sender_id, msg_type, content)
     select organization_id, id, sender_id, 'widget', repeat($4, $3)
     from message, generate_series(1, $2) where id = any($1)`,
    [ids, count, length, character],
  )
}
