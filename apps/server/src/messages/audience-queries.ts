import type { MessageId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'
import { eachAccount, isInReach, isReceived, joinOwn, wasThere } from './visibility.ts'

export interface Keeper {
  message_id: MessageId
  user_id: UserId
}

type Place = Pick<StreamRow, 'organization_id' | 'id' | 'history_public_to_subscribers'>

/**
 * Who starred one of these or reacted to it, or came by it in another way than by being in the stream, and can reach the
 * stream now. Without those who hear of it as it is, because they are in one of these places.
 */
export async function listKeepers(
  db: Db,
  { organization_id, history_public_to_subscribers }: Place,
  messages: readonly MessageId[],
  places: readonly number[],
): Promise<Keeper[]> {
  const cameToThem = wasThere(eachAccount)
  const concerned = sql`organization_id = ${organization_id} and message_id = any(${messages}::bigint[])`
  // A reaction stays where it is when a message moves out of a guest's sight, so it alone does not say that they see it.
  const { rows } = await sql<Keeper>`
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
    where (note.is_kept or not ${cameToThem}) and ${isReceived(eachAccount)} and ${isInReach(eachAccount)}
      and not ((${history_public_to_subscribers} or ${cameToThem}) and exists (
        select from subscription s
        where s.organization_id = m.organization_id and s.user_id = u.id
          and s.stream_id = any(${places}::bigint[]) and s.is_active))
    order by u.id`.execute(db)
  return rows
}

/**
 * The outbox ids at which someone came into these streams or left them, ascending; only of those who are in the given
 * stream now, as nobody else is told.
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
