import { foldTopic, type PropagateMode, type StreamId, type UserId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { MessageEditRow, MessageRow } from '../../platform/database/tables.ts'
import type { AudienceKey } from '../columns.ts'
import { listContentWords, listTopicWords } from '../search/words.ts'
import type { Reader } from '../visibility.ts'

type Message = Pick<MessageRow, 'organization_id' | 'id' | 'recipient_id' | 'folded_topic'>

/** Values of a message before an edit. Contains only values that the edit changed. */
export type PreviousValues = Partial<
  Pick<MessageEditRow, 'prev_topic' | 'prev_content' | 'prev_rendered_content' | 'prev_stream_id'>
>

export interface EditTotals {
  count: number
  /** Bytes of the earlier texts and their HTML together. */
  bytes: number
}

/** Counts the edits of a message. The caller must hold the message's lock for an exact result. */
export async function countEdits(
  db: Db,
  { organization_id, id }: Pick<Message, 'organization_id' | 'id'>,
): Promise<EditTotals> {
  const { rows } = await sql<EditTotals>`
    select count(*)::int as count,
      coalesce(sum(octet_length(prev_content) + octet_length(prev_rendered_content)), 0)::float8 as bytes
    from message_edit where organization_id = ${organization_id} and message_id = ${id}`.execute(db)
  return rows[0] as EditTotals
}

/** Bytes that an edit takes in a response besides the earlier text: names of fields, ids, topic. */
export const editBytesBesideText = 150

/**
 * Selects the newest edits of a message, up to the first one with which they have `maxBytes`. Selects none if the
 * organization does not show edits.
 */
export const selectNewestEdits = (
  { organization_id }: Reader,
  message_id: RawBuilder<unknown>,
  maxBytes: number,
): RawBuilder<unknown> => sql`
  select * from (
    select sized.*, sum(bytes) over (order by id desc) - bytes as newer_bytes from (
      select *, ${sql.lit(editBytesBesideText)} + coalesce(octet_length(prev_content), 0)
        + coalesce(octet_length(prev_rendered_content), 0) as bytes
      from message_edit
      where organization_id = ${organization_id} and message_id = ${message_id}
        and (select allow_edit_history from organization where id = ${organization_id})
    ) as sized
  ) as counted
  where newer_bytes < ${sql.lit(maxBytes)}`

/** Records an edit and returns its timestamp. */
export async function recordEdit(
  tx: Tx,
  { organization_id, id }: Message,
  editor: UserId,
  previous: PreviousValues,
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
    .set({ ...text, words: listContentWords(sender_id, text.rendered_content) })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Builds the SQL condition for the messages that a topic or stream change affects, including the
 * edited one.
 */
function selectAffected({ organization_id, id, recipient_id, folded_topic }: Message, mode: PropagateMode) {
  const topic = sql`organization_id = ${organization_id} and recipient_id = ${recipient_id} and folded_topic = ${folded_topic}`
  const choices: Record<PropagateMode, RawBuilder<unknown>> = {
    change_one: sql`organization_id = ${organization_id} and id = ${id}`,
    change_later: sql`${topic} and id >= ${id}`,
    change_all: topic,
  }
  return choices[mode]
}

const setTopic = (topic: string) =>
  sql`topic = ${topic}, folded_topic = ${foldTopic(topic)}, topic_words = ${listTopicWords(topic)}`

/** Changes the topic and returns all changed messages, sorted by id. */
export async function updateTopic(
  tx: Tx,
  message: Message,
  mode: PropagateMode,
  topic: string,
): Promise<AudienceKey[]> {
  const { rows } = await sql<AudienceKey>`
    update message set ${setTopic(topic)}
    where ${selectAffected(message, mode)}
    returning id, sent_recipient_id, outbox_id`.execute(tx)
  return sortById(rows)
}

/**
 * Moves messages to another stream. Both streams must be locked exclusively. Without a new topic,
 * each message keeps the spelling of its topic. Returns all moved messages, sorted by id.
 */
export async function updateStreamOfMessages(
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
    where ${selectAffected(message, mode)}`.execute(tx)
  const { rows } = await sql<AudienceKey>`
    update message set recipient_id = ${to}, arrived_id = ${arrived_id}
      ${topic === undefined ? sql`` : sql`, ${setTopic(topic)}`}
    where ${selectAffected(message, mode)}
    returning id, sent_recipient_id, outbox_id`.execute(tx)
  return sortById(rows)
}

const sortById = (messages: AudienceKey[]): AudienceKey[] => messages.sort((a, b) => a.id - b.id)
