import type { StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import type { MessageEditRow, MessageRow } from '../../platform/database/tables.ts'
import { canAccess, toViewer } from '../../streams/access.ts'
import { listStreamsById } from '../../streams/queries.ts'

type MovableMessage = Pick<
  MessageRow,
  'id' | 'is_private' | 'recipient_id' | 'sent_recipient_id' | 'arrived_id'
>

/**
 * Filters edits to the ones that the reader may see. `edits` lists the edits of each message newest
 * first; the reader may read all `messages`. If a message was moved out of a stream that the reader
 * cannot access, earlier edits are dropped, and the move itself keeps only its time and editor. A
 * message that moved along with an edited message has no record of that move, so all its edits are
 * dropped.
 */
export async function hideEdits(
  db: Db,
  actor: Actor,
  messages: readonly MovableMessage[],
  edits: readonly MessageEditRow[],
): Promise<MessageEditRow[]> {
  const editedIds = new Set(edits.map(({ message_id }) => message_id as number))
  const moved = messages.filter(
    ({ id, is_private, recipient_id, sent_recipient_id, arrived_id }) =>
      !is_private && editedIds.has(id) && (arrived_id !== id || recipient_id !== sent_recipient_id),
  )
  if (moved.length === 0) return [...edits]
  const earlierStreams = await listEarlierStreams(db, actor, moved)
  const ids = new Set([...earlierStreams.values()].flat())
  const streams = await listStreamsById(db, actor, [...ids])
  const open = new Set(
    streams.filter((stream) => canAccess(stream, toViewer(actor, stream))).map(({ id }) => id),
  )
  const byMessage = Map.groupBy(edits, ({ message_id }) => message_id as number)
  return [...byMessage].flatMap(([id, own]) => {
    const hidden = (earlierStreams.get(id) ?? []).filter((stream) => !open.has(stream))
    return cutAtHidden(own, hidden)
  })
}

function cutAtHidden(newestFirst: readonly MessageEditRow[], hidden: readonly StreamId[]): MessageEditRow[] {
  if (hidden.length === 0) return [...newestFirst]
  const isFrom = ({ prev_stream_id }: MessageEditRow, stream: StreamId) => prev_stream_id === stream
  if (!hidden.every((stream) => newestFirst.some((edit) => isFrom(edit, stream)))) return []
  const newest = newestFirst.findIndex((edit) => hidden.some((stream) => isFrom(edit, stream)))
  const bare = { prev_topic: null, prev_content: null, prev_rendered_content: null, prev_stream_id: null }
  return newestFirst
    .slice(0, newest + 1)
    .map((edit, index) => (index === newest ? { ...edit, ...bare } : edit))
}

/** Returns all earlier streams of each message, including the stream that it was sent to. */
async function listEarlierStreams(
  db: Db,
  { organization_id }: Actor,
  messages: readonly MovableMessage[],
): Promise<Map<number, StreamId[]>> {
  const { rows } = await sql<{ message_id: number; stream_id: StreamId }>`
    select distinct message_id, stream_id from message_stay
    where organization_id = ${organization_id} and message_id = any(${messages.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
  const streamsByMessage = new Map(
    messages.map(({ id, sent_recipient_id }) => [id as number, [sent_recipient_id as StreamId]]),
  )
  for (const { message_id, stream_id } of rows) streamsByMessage.get(message_id)?.push(stream_id)
  return streamsByMessage
}
