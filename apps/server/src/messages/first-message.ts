import type { MessageId } from '@oxbow/contract'
import { sql } from 'kysely'
import { emit } from '../events/emit.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { getStreamAudience } from '../streams/audiences.ts'
import { emitDefaultsOfChangedStream } from '../streams/defaults/emit-defaults.ts'
import { streamUpdated } from '../streams/events.ts'
import { updateStreamRow } from '../streams/queries.ts'

/**
 * Updates the stream's `first_message_id` and notifies clients, after messages were moved into the
 * stream or removed from it. The caller must hold the stream's lock exclusively and have read
 * `stream` under it.
 */
export async function updateFirstMessage(tx: Tx, stream: StreamRow): Promise<void> {
  const first_message_id = await findFirstMessage(tx, stream)
  if (first_message_id === stream.first_message_id) return
  await updateStreamRow(tx, stream, { first_message_id })
  // Clients do not see archived streams.
  if (stream.archived_at) return
  const change = { property: 'first_message_id', value: first_message_id }
  emit(tx, streamUpdated(stream, change, getStreamAudience(stream)))
  await emitDefaultsOfChangedStream(tx, stream, { ...stream, first_message_id })
}

async function findFirstMessage(
  db: Db,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
): Promise<MessageId | null> {
  const { rows } = await sql<{ first: MessageId | null }>`
    select least(
      (select id from message
       where organization_id = ${organization_id} and sent_recipient_id = ${id} and recipient_id = ${id}
       order by id limit 1),
      (select id from message
       where organization_id = ${organization_id} and recipient_id = ${id} and recipient_id <> sent_recipient_id
       order by id limit 1)) as first`.execute(db)
  return rows[0]?.first ?? null
}
