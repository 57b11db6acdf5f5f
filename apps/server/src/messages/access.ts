import { ApiError, type MessageId } from '@oxbow/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { MessageRow, Tables } from '../platform/database/tables.ts'
import { messageColumns } from './columns.ts'
import { canReachStream, isReadable, joinOwn, type Reader } from './visibility.ts'

export interface AccessedMessage extends MessageRow {
  /** The reader's `user_message` row, or null if there is none. */
  own: Selectable<Tables['user_message']> | null
  /** Seconds since the message was sent, by the database's clock. */
  age: number
  /** Whether the reader is subscribed to the message's stream or could join it. */
  can_reach_stream: boolean
}

/**
 * Loads a message that the reader may read. Missing and forbidden messages get the same error, so
 * that probing ids reveals nothing.
 */
export async function accessMessage(db: Db, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  return readMessage(db, reader, id, sql``)
}

/**
 * Loads a message that the reader may change, react to or delete. A user who left a private stream
 * can only read.
 */
export async function accessMessageToChange(db: Db, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  return requireReachable(await accessMessage(db, reader, id))
}

/**
 * Loads a message that the reader may change, and locks it until the transaction ends. The caller
 * must already hold the lock of the message's stream.
 */
export async function lockMessage(tx: Tx, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  // NO KEY UPDATE does not block users who received the message and react to it or star it.
  return requireReachable(await readMessage(tx, reader, id, sql`for no key update of m`))
}

/**
 * Loads a message that the reader may change, and prevents its deletion until the transaction ends.
 * If the caller also holds the lock of the message's stream, the message cannot be moved either.
 */
export async function lockMessageAgainstDeletion(
  tx: Tx,
  reader: Reader,
  id: MessageId,
): Promise<AccessedMessage> {
  return requireReachable(await readMessage(tx, reader, id, sql`for key share of m`))
}

function requireReachable(message: AccessedMessage): AccessedMessage {
  if (!message.can_reach_stream) throw new ApiError('INVALID_MESSAGE')
  return message
}

async function readMessage(
  db: Db,
  reader: Reader,
  id: MessageId,
  lock: RawBuilder<unknown>,
): Promise<AccessedMessage> {
  const { rows } = await sql<AccessedMessage>`
    select ${messageColumns}, row_to_json(own) as own, extract(epoch from clock_timestamp() - m.sent_at)::float8 as age,
      ${canReachStream(reader)} as can_reach_stream
    from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.id = ${id} and ${isReadable(reader)} ${lock}`.execute(
    db,
  )
  if (!rows[0]) throw new ApiError('INVALID_MESSAGE')
  return rows[0]
}
