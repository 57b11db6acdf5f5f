import type { OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'

const recentHistory = { maxMessages: 1_000, maxDays: 7, maxUnread: 20 }

/**
 * Gives a new user recent messages of these public streams, as if the user had been subscribed when
 * they were sent. The newest messages are unread, and the others are read. The caller must hold the
 * locks of the streams.
 */
export async function grantRecentHistory(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
  streams: readonly StreamId[],
): Promise<void> {
  if (streams.length === 0) return
  await sql`
    with given as materialized (
      select found.id from unnest(${streams}::bigint[]) as stream (id) cross join lateral (
        select m.id from message m
        where m.organization_id = ${organization_id} and m.sent_recipient_id = stream.id
          and m.sent_at > now() - make_interval(days => ${recentHistory.maxDays})
        order by m.id desc limit ${recentHistory.maxMessages}
      ) as found
      order by found.id desc limit ${recentHistory.maxMessages}
    ), begun as (
      update subscription_period set from_message_id = (select min(id) from given)
      where organization_id = ${organization_id} and user_id = ${user_id} and stream_id = any(${streams}::bigint[])
        and to_outbox_id is null and exists (select from given)
    )
    update subscription set read_to = (
      select min(id) from (select id from given order by id desc limit ${recentHistory.maxUnread}) as unread)
    where organization_id = ${organization_id} and user_id = ${user_id} and stream_id = any(${streams}::bigint[])
      and exists (select from given)`.execute(tx)
}
