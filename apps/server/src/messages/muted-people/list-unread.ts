import type { UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { selectUnreadElsewhere, selectUnreadWhereSent } from '../unread/selections.ts'
import type { Reader } from '../visibility.ts'

interface UnreadMessage {
  id: number
  is_private: boolean
  sent_recipient_id: number
}

const columns = sql`m.id, m.is_private, m.sent_recipient_id, m.sender_id`

/** Lists the reader's unread messages of one sender, in ascending order. */
export async function listUnreadOfSender(db: Db, reader: Reader, sender: UserId): Promise<UnreadMessage[]> {
  const { rows } = await sql<UnreadMessage>`
    select distinct unread.id, unread.is_private, unread.sent_recipient_id from (
      ${selectUnreadWhereSent(reader, columns)} union all ${selectUnreadElsewhere(reader, columns)}
    ) as unread
    where unread.sender_id = ${sender}
    order by unread.id`.execute(db)
  return rows
}
