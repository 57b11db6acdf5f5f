import type { StreamId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { isUnread, joinOwn, type Reader } from '../visibility.ts'
import type { ReadState } from './lock-read-state.ts'

/**
 * Marks every message that was sent to a stream and is still in it as read, up to the horizon, by
 * raising the stream's read position; marks below it are deleted. Messages that were moved
 * elsewhere and are unread there stay unread. `listed` are the ids that the event contains; they
 * were in the stream when they were listed.
 */
export async function markStreamReadToHorizon(
  tx: Tx,
  reader: Reader,
  state: ReadState,
  stream: StreamId,
  listed: readonly number[],
): Promise<void> {
  await buildStreamJump(reader, state, stream, listed).execute(tx)
}

/** Builds the statement of `markStreamReadToHorizon`; docs/subsystems/message-queries.md has an example. */
export function buildStreamJump(
  reader: Reader,
  { readTo, settledTo }: ReadState,
  stream: StreamId,
  listed: readonly number[],
): RawBuilder<unknown> {
  const { organization_id, user_id } = reader
  return sql`
    with listed as materialized (select id from unnest(${listed}::bigint[]) as listed (id)),
    jump as materialized (
      select greatest(read_to, ${readTo}) as was, ${settledTo}::bigint + 1 as read_to from subscription
      where organization_id = ${organization_id} and user_id = ${user_id} and stream_id = ${stream}
    ),
    excepted as (
      insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
      select ${organization_id}, ${user_id}, ${stream}, m.id, false
      from subscription_period lived cross join jump cross join lateral (
        select m.* from message m
        where m.organization_id = ${organization_id} and m.sent_recipient_id = ${stream}
          and m.recipient_id <> m.sent_recipient_id
          and m.id >= greatest(lived.from_message_id, jump.was) and m.id < least(lived.to_message_id, jump.read_to)
      ) as m
      ${joinOwn(reader)}
      where lived.organization_id = ${organization_id} and lived.user_id = ${user_id} and lived.stream_id = ${stream}
        and m.id not in (select id from listed) and ${isUnread(reader)}
      on conflict (organization_id, user_id, stream_id, message_id) do nothing
    ),
    passed as (
      delete from read_mark mark using jump
      where mark.organization_id = ${organization_id} and mark.user_id = ${user_id} and mark.stream_id = ${stream}
        and mark.message_id < jump.read_to
        and (mark.is_read or mark.message_id in (select id from listed) or coalesce((
          select m.recipient_id = m.sent_recipient_id from message m
          where m.organization_id = ${organization_id} and m.id = mark.message_id), true))
    )
    update subscription s set read_to = jump.read_to from jump
    where s.organization_id = ${organization_id} and s.user_id = ${user_id} and s.stream_id = ${stream}
      and s.read_to < jump.read_to`
}

/**
 * Marks all messages of the account as read: up to the horizon by the account's read position,
 * which makes marks below it obsolete; above it with a mark for each received stream message;
 * private ones by clearing their flag.
 */
export async function markAllReadToHorizon(
  tx: Tx,
  { organization_id, user_id }: Reader,
  { settledTo }: ReadState,
): Promise<void> {
  await sql`
    with numbered as (
      update user_setting set read_to = ${settledTo}::bigint + 1
      where organization_id = ${organization_id} and user_id = ${user_id} and read_to <= ${settledTo}
    ),
    passed as (
      delete from read_mark
      where organization_id = ${organization_id} and user_id = ${user_id} and message_id <= ${settledTo}
    ),
    private as (
      update user_message set is_unread = false
      where organization_id = ${organization_id} and user_id = ${user_id} and is_unread
    )
    insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
    select ${organization_id}, ${user_id}, lived.stream_id, above.id, true
    from subscription_period lived cross join lateral (
      select m.id from message m
      where m.organization_id = ${organization_id} and m.sent_recipient_id = lived.stream_id
        and m.id > ${settledTo} and m.id >= lived.from_message_id
        and (lived.to_message_id is null or m.id < lived.to_message_id)
    ) as above
    where lived.organization_id = ${organization_id} and lived.user_id = ${user_id}
      and (lived.to_message_id is null or lived.to_message_id > ${settledTo})
    on conflict (organization_id, user_id, stream_id, message_id) do update set is_read = true
      where not read_mark.is_read`.execute(tx)
}
