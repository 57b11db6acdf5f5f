import {
  ApiError,
  type api,
  maxReceiptSubscribers,
  type ParamsOf,
  type ResponseOf,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { type AccessedMessage, accessMessageToChange } from '../access.ts'
import { canBeUnread, eachAccount, isUnread, joinReadStateOfEach } from '../visibility.ts'

type ReadReceipts = typeof api.messages.readReceipts

/** Lists who has read a message, as far as these people share it. */
export async function listReaders(
  { db }: App,
  actor: Actor,
  { message_id }: ParamsOf<ReadReceipts>,
): Promise<ResponseOf<ReadReceipts>> {
  const { enable_read_receipts } = await getOrganization(db, actor.organization_id)
  if (!enable_read_receipts) throw new ApiError('READ_RECEIPTS_DISABLED')
  const message = await accessMessageToChange(db, actor, message_id)
  if (message.is_private) return { user_ids: await listReadersOfPrivate(db, message) }
  if (await isCrowded(db, actor, message.recipient_id as StreamId))
    throw new ApiError('TOO_MANY_READERS', { limit: maxReceiptSubscribers })
  return { user_ids: await listReadersOfStream(db, message) }
}

/** Returns whether a stream has more subscribers than a request looks at. */
async function isCrowded(db: Db, { organization_id }: Actor, stream: StreamId): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from subscription
      where organization_id = ${organization_id} and stream_id = ${stream} and is_active
      limit ${maxReceiptSubscribers + 1}
    ) as counted`.execute(db)
  return (rows[0]?.count ?? 0) > maxReceiptSubscribers
}

/** People whose reading is known, and who let others know it. */
const sharesReading = sql`u.is_active and u.bot_type is null and u.id <> m.sender_id and setting.send_read_receipts
  and not exists (
    -- The messages of a muted person count as read, whether or not they were.
    select from muted_user muted
    where muted.organization_id = m.organization_id and muted.user_id = u.id and muted.muted_user_id = m.sender_id)`

/**
 * Only present subscribers count who got the message when it arrived: for others it was never unread. The
 * message is looked up first, so the query reads the subscribers of its stream and nothing else.
 */
const listReadersOfStream = (db: Db, { organization_id, id }: AccessedMessage): Promise<UserId[]> =>
  listIds(
    db,
    sql`
    select u.id from message m
    join subscription member
      on member.organization_id = m.organization_id and member.stream_id = m.recipient_id and member.is_active
    join user_account u on u.organization_id = m.organization_id and u.id = member.user_id
    ${joinReadStateOfEach}
    where m.organization_id = ${organization_id} and m.id = ${id} and ${sharesReading}
      and ${canBeUnread(eachAccount)} and not ${isUnread(eachAccount)}
    order by u.id`,
  )

const listReadersOfPrivate = (db: Db, { organization_id, id }: AccessedMessage): Promise<UserId[]> =>
  listIds(
    db,
    sql`
    select u.id from message m
    join user_message own on own.organization_id = m.organization_id and own.message_id = m.id
    join user_account u on u.organization_id = m.organization_id and u.id = own.user_id
    join user_setting setting on setting.organization_id = m.organization_id and setting.user_id = u.id
    where m.organization_id = ${organization_id} and m.id = ${id} and ${sharesReading} and not own.is_unread
    order by u.id`,
  )

async function listIds(db: Db, query: ReturnType<typeof sql>): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`${query}`.execute(db)
  return rows.map(({ id }) => id)
}
