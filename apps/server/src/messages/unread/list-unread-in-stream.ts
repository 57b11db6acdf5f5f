import { maxUnreadMessages, type StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { SentMessage } from '../flags/marks.ts'
import type { Reader } from '../visibility.ts'
import { selectUnreadElsewhere, selectUnreadWhereSent } from './selections.ts'

const columns = sql`m.id, m.sent_recipient_id`

/**
 * Lists the newest unread messages of a stream or one of its topics, up to `maxUnreadMessages`,
 * in ascending order.
 */
export async function listUnreadInStream(
  db: Db,
  reader: Reader,
  stream: StreamId,
  foldedTopic?: string,
): Promise<SentMessage[]> {
  const range = { stream, ...(foldedTopic !== undefined && { foldedTopic }) }
  const { rows } = await sql<SentMessage>`
    select * from (
      select * from (
        ${selectUnreadWhereSent(reader, columns, range)} union ${selectUnreadElsewhere(reader, columns, range)}
      ) as unread
      order by id desc limit ${maxUnreadMessages}
    ) as newest
    order by id`.execute(db)
  return rows
}
