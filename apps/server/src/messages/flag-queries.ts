import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { FlagState } from './read/views.ts'
import { eachAccount, isReceived, isUnread, joinReadStateOfEach } from './visibility.ts'

export interface UserFlags extends FlagState {
  user_id: UserId
}

/**
 * Lists the flags of a message for every user who received it, except users whose only flag is
 * `read`.
 */
export async function listFlags(
  db: Db,
  organization_id: OrganizationId,
  message: number,
): Promise<UserFlags[]> {
  const { rows } = await sql<UserFlags>`
    select u.id as user_id, true as is_received, ${isUnread(eachAccount)} as is_unread, m.mentions_wildcard,
      own.is_starred, own.is_collapsed, own.is_mentioned, own.has_alert_word, own.is_historical
    from message m
    cross join lateral (
      select user_id from user_message
      where organization_id = m.organization_id and message_id = m.id
      union
      select user_id from subscription_period
      where organization_id = m.organization_id and stream_id = m.recipient_id and to_outbox_id is null
      union
      -- Users who left the stream may still get the edit event.
      select user_id from subscription_period
      where m.mentions_wildcard and organization_id = m.organization_id and stream_id = m.sent_recipient_id
        and from_outbox_id <= m.outbox_id and (to_outbox_id is null or to_outbox_id > m.outbox_id)
    ) as concerned
    join user_account u on u.organization_id = m.organization_id and u.id = concerned.user_id
    ${joinReadStateOfEach}
    where m.organization_id = ${organization_id} and m.id = ${message}
      and (own.user_id is not null or ${isUnread(eachAccount)} or (m.mentions_wildcard and ${isReceived(eachAccount)}))`.execute(
    db,
  )
  return rows
}
