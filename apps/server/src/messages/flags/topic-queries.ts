import type { StreamId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { isReceived, isUnchangedSinceAccess, joinOwn, type Reader } from '../visibility.ts'

/**
 * Number of a topic's newest messages that are searched for received ones if none was delivered.
 */
const maxMessagesSearched = 10_000

/** Returns whether the reader received any message of the topic. Tries the cheaper check first. */
export async function hasReceivedInTopic(
  db: Db,
  reader: Reader,
  stream: StreamId,
  foldedTopic: string,
): Promise<boolean> {
  const { organization_id, user_id } = reader
  const inTopic = sql`
    m.organization_id = ${organization_id} and m.recipient_id = ${stream} and m.folded_topic = ${foldedTopic}`
  const { rows } = await sql<{ found: boolean }>`
    select case
      when exists (
        select from subscription_period p cross join lateral (
          select m.id from message m
          where ${inTopic} and m.id >= p.from_message_id and (p.to_message_id is null or m.id < p.to_message_id)
            and m.sent_recipient_id = m.recipient_id and ${isUnchangedSinceAccess(reader)}
          limit 1
        ) as sent
        where p.organization_id = ${organization_id} and p.user_id = ${user_id} and p.stream_id = ${stream}
      ) then true
      else exists (
        select from (
          select m.* from message m where ${inTopic} order by m.id desc limit ${maxMessagesSearched}
        ) as m ${joinOwn(reader)} where ${isReceived(reader)})
    end as found`.execute(db)
  return rows[0]?.found ?? false
}
