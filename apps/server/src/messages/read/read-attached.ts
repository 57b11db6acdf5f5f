import type { MessageId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { maxPageBytes } from './fitting-messages.ts'

/** Rows that belong to messages, such as their reactions. */
export interface Attached<Row> {
  /** The rows of the messages before `firstLeftOut`, each message with all of its rows. */
  rows: Row[]
  /** The first message whose rows do not fit into a response. This message and all later ones must be left out. */
  firstLeftOut: MessageId | undefined
}

/** Minimum value of the column `bytes` of attached rows. */
const minAttachedBytes = 100

/**
 * Reads the rows of messages in the given order of messages, and stops when they have `maxPageBytes`: a page can have
 * gigabytes of them. `select` builds the query of one message's rows, with the columns `id`, by which they are sorted,
 * and `bytes`, their approximate size in a response.
 */
export async function readAttached<Row extends { message_id: number }>(
  db: Db,
  messages: readonly MessageId[],
  select: (message_id: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Attached<Row>> {
  if (messages.length === 0) return { rows: [], firstLeftOut: undefined }
  // Without the limit PostgreSQL would also add up the sizes of the rows that are left out.
  const { rows } = await sql<Row & { total_bytes: number }>`
    select * from (
      select attached.*, (sum(attached.bytes) over (order by given.ordinal, attached.id))::float8 as total_bytes
      from unnest(${messages}::bigint[]) with ordinality as given (message_id, ordinal)
      cross join lateral (${select(sql`given.message_id`)}) as attached
      order by given.ordinal, attached.id
      limit ${sql.lit(Math.ceil(maxPageBytes / minAttachedBytes) + 1)}
    ) as measured
    where total_bytes - bytes <= ${sql.lit(maxPageBytes)}`.execute(db)
  const last = rows.at(-1)
  if (!last || last.total_bytes <= maxPageBytes) return { rows, firstLeftOut: undefined }
  const firstLeftOut = last.message_id as MessageId
  return { rows: rows.filter(({ message_id }) => message_id !== firstLeftOut), firstLeftOut }
}
