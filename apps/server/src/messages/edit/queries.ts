import type { PropagateMode, StreamId, UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { MessageEditRow, MessageRow } from '../../platform/database/tables.ts'
import { foldTopic } from '../../streams/names.ts'
import type { AudienceKey } from '../audience-key.ts'
import { wordsOfContent, wordsOfTopic } from '../search/words.ts'

type Message = Pick<MessageRow, 'organization_id' | 'id' | 'recipient_id' | 'folded_topic'>

/** What a message was before, where that changed. */
export type Previous = Partial<
  Pick<MessageEditRow, 'prev_topic' | 'prev_content' | 'prev_rendered_content' | 'prev_stream_id'>
>

/** Returns when it was. */
export async function recordEdit(
  tx: Tx,
  { organization_id, id }: Message,
  editor: UserId,
  previous: Previous,
): Promise<Date> {
  const { edited_at } = await tx
    .updateTable('message')
    .set({ edited_at: sql<Date>`clock_timestamp()` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(sql<Date>`edited_at`.as('edited_at'))
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('message_edit')
    .values({ organization_id, message_id: id, user_id: editor, edited_at, ...previous })
    .execute()
  return edited_at
}

type Text = Pick<MessageRow, 'content' | 'rendered_content' | 'mentions_wildcard' | 'has_link' | 'has_image'>

export async function updateContent(
  tx: Tx,
  { organization_id, id, sender_id }: Message & Pick<MessageRow, 'sender_id'>,
  text: Text,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ ...text, words: wordsOfContent(sender_id, text.rendered_content) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Which messages an edit of topic or stream is about, this one among them. */
function chosen({ organization_id, id, recipient_id, folded_topic }: Message, mode: PropagateMode) {
  const topic = sql`organization_id = ${organization_id} and recipient_id = ${recipient_id} and folded_topic = ${folded_topic}`
  const choices: Record<PropagateMode, RawBuilder<unknown>> = {
    change_one: sql`organization_id = ${organization_id} and id = ${id}`,
    change_later: sql`${topic} and id >= ${id}`,
    change_all: topic,
  }
  return choices[mode]
}

const newTopic = (topic: string) =>
  sql`topic = ${topic}, folded_topic = ${foldTopic(topic)}, topic_words = ${wordsOfTopic(topic)}`

/** Returns all that have the new topic, by id. */
export async function updateTopic(
  tx: Tx,
  message: Message,
  mode: PropagateMode,
  topic: string,
): Promise<AudienceKey[]> {
  const { rows } = await sql<AudienceKey>`
    update message set ${newTopic(topic)}
    where ${chosen(message, mode)}
    returning id, sent_recipient_id, outbox_id`.execute(tx)
  return byId(rows)
}

/** Both streams must be held alone. Without a topic each keeps its own, in its own spelling. Returns all that were moved, by id. */
export async function updatePlace(
  tx: Tx,
  message: Message,
  mode: PropagateMode,
  to: StreamId,
  topic: string | undefined,
): Promise<AudienceKey[]> {
  const arrival = await sql<{ id: number }>`select nextval('message_id') as id`.execute(tx)
  const arrived_id = arrival.rows[0]?.id as number
  await sql`
    insert into message_stay (organization_id, message_id, stream_id, from_id, to_id)
    select organization_id, id, recipient_id, arrived_id, ${arrived_id} from message
    where ${chosen(message, mode)}`.execute(tx)
  const { rows } = await sql<AudienceKey>`
    update message set recipient_id = ${to}, arrived_id = ${arrived_id}
      ${topic === undefined ? sql`` : sql`, ${newTopic(topic)}`}
    where ${chosen(message, mode)}
    returning id, sent_recipient_id, outbox_id`.execute(tx)
  return byId(rows)
}

const byId = (messages: AudienceKey[]): AudienceKey[] => messages.sort((a, b) => a.id - b.id)
