import {
  type MessageId,
  maxStarredMessages,
  type RecentPrivateConversation,
  type UserId,
} from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { isDelivered, joinOwn, type Reader } from '../visibility.ts'

/** Returns the id of the newest message delivered to the reader, or -1 if there is none. */
export async function findMaxMessageId(db: Db, reader: Reader): Promise<number> {
  const { organization_id, user_id } = reader
  const { rows } = await sql<{ id: number | null }>`
    select greatest(
      (select max(message_id) from user_message
       where organization_id = ${organization_id} and user_id = ${user_id} and not is_historical),
      (select max(head.id) from subscription_period p cross join lateral (
         select m.id from message m ${joinOwn(reader)}
         where m.organization_id = ${organization_id} and m.sent_recipient_id = p.stream_id
           and m.id >= p.from_message_id and (p.to_message_id is null or m.id < p.to_message_id)
           and ${isDelivered(reader)}
         order by m.id desc limit 1
       ) as head
       where p.organization_id = ${organization_id} and p.user_id = ${user_id})) as id`.execute(db)
  return rows[0]?.id ?? -1
}

/**
 * Lists the ids of starred messages in ascending order. If there are more than
 * `maxStarredMessages`, lists the lowest ids.
 */
export async function listStarred(db: Db, { organization_id, user_id }: Reader): Promise<MessageId[]> {
  const rows = await db
    .selectFrom('user_message')
    .select('message_id')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('is_starred', '=', true)
    .orderBy('message_id')
    .limit(maxStarredMessages)
    .execute()
  return rows.map(({ message_id }) => message_id)
}

/** Number of private messages, newest first, that are searched for conversations. */
const maxRecentPrivateMessages = 1_000

/** Lists recent conversations, ordered by their newest message, newest first. */
export async function listRecentConversations(
  db: Db,
  { organization_id, user_id }: Reader,
): Promise<RecentPrivateConversation[]> {
  const { rows } = await sql<{ max_message_id: MessageId; members: UserId[] }>`
    select recent.max_message_id, conversation.members
    from (
      select m.recipient_id, max(m.id) as max_message_id
      from (
        select message_id from user_message
        where organization_id = ${organization_id} and user_id = ${user_id} and is_private
        order by message_id desc limit ${maxRecentPrivateMessages}
      ) as own
      join message m on m.organization_id = ${organization_id} and m.id = own.message_id
      group by m.recipient_id
    ) as recent
    join conversation on conversation.organization_id = ${organization_id} and conversation.id = recent.recipient_id
    order by recent.max_message_id desc`.execute(db)
  return rows.map(({ max_message_id, members }) => ({
    max_message_id,
    user_ids: members.filter((id) => id !== user_id),
  }))
}
