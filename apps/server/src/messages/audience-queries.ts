import type { MessageId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { canReachStream, eachAccount, isReceived, joinOwn, wasSubscribedWhenSent } from './visibility.ts'

export interface IndirectRecipient {
  message_id: MessageId
  user_id: UserId
}

type AudienceStream = Pick<StreamRow, 'organization_id' | 'id' | 'history_public_to_subscribers'>

/**
 * Lists users who starred one of `messages`, reacted to it, or have a `user_message` row for it
 * without having been subscribed when it was sent. The users must have access to the message and
 * its stream. Omits subscribers of `coveredStreams`, who already get the event as subscribers.
 */
export async function listIndirectRecipients(
  db: Db,
  { organization_id, history_public_to_subscribers }: AudienceStream,
  messages: readonly MessageId[],
  coveredStreams: readonly number[],
): Promise<IndirectRecipient[]> {
  const wasDelivered = wasSubscribedWhenSent(eachAccount)
  const concerned = sql`organization_id = ${organization_id} and message_id = any(${messages}::bigint[])`
  // A reaction is kept when its message moves to a stream that the user cannot see, so a reaction
  // alone does not prove that the user may see the message.
  const { rows } = await sql<IndirectRecipient>`
    select m.id as message_id, u.id as user_id
    from (
      select message_id, user_id, bool_or(is_kept) as is_kept
      from (
        select message_id, user_id, is_starred as is_kept from user_message where ${concerned}
        union all
        select message_id, user_id, true from reaction where ${concerned}
      ) as each_note
      group by message_id, user_id
    ) as note
    join message m on m.organization_id = ${organization_id} and m.id = note.message_id
    join user_account u on u.organization_id = m.organization_id and u.id = note.user_id
    ${joinOwn(eachAccount)}
    where (note.is_kept or not ${wasDelivered}) and ${isReceived(eachAccount)} and ${canReachStream(eachAccount)}
      and not ((${history_public_to_subscribers} or ${wasDelivered}) and exists (
        select from subscription s
        where s.organization_id = m.organization_id and s.user_id = u.id
          and s.stream_id = any(${coveredStreams}::bigint[]) and s.is_active))
    order by u.id`.execute(db)
  return rows
}

/**
 * Returns, for each of `streams`, the outbox ids at which a current subscriber of the stream `id`
 * subscribed to it or unsubscribed from it, in ascending order. Only current subscribers are
 * considered, because other users get no event.
 */
export async function listStreamBounds(
  db: Db,
  { organization_id, id }: Pick<StreamRow, 'organization_id' | 'id'>,
  streams: readonly number[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ stream_id: number; bound: number }>`
    with period as materialized (
      select p.stream_id, p.from_outbox_id, p.to_outbox_id
      from subscription s
      join subscription_period p using (organization_id, user_id)
      where s.organization_id = ${organization_id} and s.stream_id = ${id} and s.is_active
        and p.stream_id = any(${streams}::bigint[]))
    select stream_id, from_outbox_id as bound from period
    union
    select stream_id, to_outbox_id from period where to_outbox_id is not null
    order by stream_id, bound`.execute(db)
  const byStream = Map.groupBy(rows, ({ stream_id }) => stream_id)
  return new Map([...byStream].map(([stream, bounds]) => [stream, bounds.map(({ bound }) => bound)]))
}
