import type { StreamId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { isUnread, joinOwn, type Reader } from '../visibility.ts'
import type { ReadState } from './lock-read-state.ts'

/**
 * Marks messages that were sent to a stream and are still in it as read, up to the horizon
 * (`settledTo`: no message with this id or a smaller one can still appear). Raises the stream's
 * read position and deletes the read marks below it. Messages that were moved to another stream and
 * are unread there stay unread. `listed` contains the ids that the flags event reports as read;
 * these messages were in the stream when they were listed.
 */
export async function markStreamReadToHorizon(
  tx: Tx,
  reader: Reader,
  state: ReadState,
  stream: StreamId,
  listed: readonly number[],
): Promise<void> {
  await buildMarkStreamRead(reader, state, stream, listed).execute(tx)
}

/**
 * Builds the statement of `markStreamReadToHorizon`. See the example in
 * messages/message-queries.md.
 */
export function buildMarkStreamRead(
  reader: Reader,
  { readTo, settledTo }: ReadState,
  stream: StreamId,
  listed: readonly number[],
): RawBuilder<unknown> {
  const { organization_id, user_id } = reader
  return sql`
    with listed as materialized (select id from unnest(${listed}::bigint[]) as listed (id)),
    new_position as materialized (
      select greatest(read_to, ${readTo}) as previous_read_to, ${settledTo}::bigint + 1 as read_to from subscription
      where organization_id = ${organization_id} and user_id = ${user_id} and stream_id = ${stream}
    ),
    moved_unread as (
      insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
      select ${organization_id}, ${user_id}, ${stream}, m.id, false
      from subscription_period period cross join new_position cross join lateral (
        select m.* from message m
        where m.organization_id = ${organization_id} and m.sent_recipient_id = ${stream}
          and m.recipient_id <> m.sent_recipient_id
          and m.id >= greatest(period.from_message_id, new_position.previous_read_to) and m.id < least(period.to_message_id, new_position.read_to)
      ) as m
      ${joinOwn(reader)}
      where period.organization_id = ${organization_id} and period.user_id = ${user_id} and period.stream_id = ${stream}
        and m.id not in (select id from listed) and ${isUnread(reader)}
      on conflict (organization_id, user_id, stream_id, message_id) do nothing
    ),
    deleted_marks as (
      delete from read_mark mark using new_position
      where mark.organization_id = ${organization_id} and mark.user_id = ${user_id} and mark.stream_id = ${stream}
        and mark.message_id < new_position.read_to
        and (mark.is_read or mark.message_id in (select id from listed) or coalesce((
          select m.recipient_id = m.sent_recipient_id from message m
          where m.organization_id = ${organization_id} and m.id = mark.message_id), true))
    )
    update subscription s set read_to = new_position.read_to from new_position
    where s.organization_id = ${organization_id} and s.user_id = ${user_id} and s.stream_id = ${stream}
      and s.read_to < new_position.read_to`
}

/**
 * Marks all messages of the account as read. Raises the account's read position to the horizon and
 * deletes the read marks below it. Adds a read mark for each received stream message above the
 * horizon. Marks private messages in their `user_message` rows.
 */
export async function markAllReadToHorizon(
  tx: Tx,
  { organization_id, user_id }: Reader,
  { settledTo }: ReadState,
): Promise<void> {
  await sql`
    with raised_position as (
      update user_setting set read_to = ${settledTo}::bigint + 1
      where organization_id = ${organization_id} and user_id = ${user_id} and read_to <= ${settledTo}
    ),
    deleted_marks as (
      delete from read_mark
      where organization_id = ${organization_id} and user_id = ${user_id} and message_id <= ${settledTo}
    ),
    private as (
      update user_message set is_unread = false
      where organization_id = ${organization_id} and user_id = ${user_id} and is_unread
    )
    insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
    select ${organization_id}, ${user_id}, period.stream_id, above.id, true
    from subscription_period period cross join lateral (
      select m.id from message m
      where m.organization_id = ${organization_id} and m.sent_recipient_id = period.stream_id
        and m.id > ${settledTo} and m.id >= period.from_message_id
        and (period.to_message_id is null or m.id < period.to_message_id)
    ) as above
    where period.organization_id = ${organization_id} and period.user_id = ${user_id}
      and (period.to_message_id is null or period.to_message_id > ${settledTo})
    on conflict (organization_id, user_id, stream_id, message_id) do update set is_read = true
      where not read_mark.is_read`.execute(tx)
}
