import { ApiError, type MessageId } from '@oxbow/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { MessageRow, Tables } from '../platform/database/tables.ts'
import { messageColumns } from './columns.ts'
import { isInReach, isReadable, joinOwn, type Reader } from './visibility.ts'

export interface AccessedMessage extends MessageRow {
  /** What its reader has of it, if anything. */
  own: Selectable<Tables['user_message']> | null
  /** How long ago it was sent, in seconds, by the clock of the database. */
  age: number
  /** They are in the stream that it is in, or could join it. */
  is_in_reach: boolean
}

/** Missing and forbidden answer alike, so that probing ids teaches nothing. */
export async function accessMessage(db: Db, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  return readMessage(db, reader, id, sql``)
}

/** One that they may also change, react to or delete: someone who left a private stream only reads. */
export async function accessMessageToChange(db: Db, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  return refuseOutOfReach(await accessMessage(db, reader, id))
}

/** The same, held until the transaction ends. The stream that it is in must be held before. */
export async function lockMessage(tx: Tx, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  // NO KEY UPDATE: whoever reacts to it or stars it need not wait.
  return refuseOutOfReach(await readMessage(tx, reader, id, sql`for no key update of m`))
}

/** The same, kept from being deleted until the transaction ends. Whoever holds its stream also keeps it from being moved. */
export async function keepMessage(tx: Tx, reader: Reader, id: MessageId): Promise<AccessedMessage> {
  return refuseOutOfReach(await readMessage(tx, reader, id, sql`for key share of m`))
}

function refuseOutOfReach(message: AccessedMessage): AccessedMessage {
  if (!message.is_in_reach) throw new ApiError('INVALID_MESSAGE')
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
      ${isInReach(reader)} as is_in_reach
    from message m ${joinOwn(reader)}
    where m.organization_id = ${reader.organization_id} and m.id = ${id} and ${isReadable(reader)} ${lock}`.execute(
    db,
  )
  if (!rows[0]) throw new ApiError('INVALID_MESSAGE')
  return rows[0]
}
