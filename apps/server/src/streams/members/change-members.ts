import type { OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { takeBounds } from '../../platform/database/bounds.ts'
import type { Tx } from '../../platform/database/database.ts'

/** Someone who comes into a stream, with the colour they get if they were never in it. */
export interface Joining {
  user_id: UserId
  stream_id: StreamId
  color: string
}

/** Someone who is in a stream and leaves it. */
export type Leaving = Pick<Joining, 'user_id' | 'stream_id'>

/**
 * Puts people into streams that they are not in. The streams must be held. Returns the outbox id at which it happens.
 * However many they are, the number of statements is the same.
 */
export async function beginSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  joining: readonly Joining[],
): Promise<number> {
  const { outbox, message } = await takeBounds(tx)
  const users = joining.map(({ user_id }) => user_id)
  const streams = joining.map(({ stream_id }) => stream_id)
  await sql`
    insert into subscription (organization_id, user_id, stream_id, is_active, color)
    select ${organization_id}, user_id, stream_id, true, color
    from unnest(${users}::bigint[], ${streams}::bigint[], ${joining.map(({ color }) => color)}::text[])
      as joining (user_id, stream_id, color)
    on conflict (organization_id, user_id, stream_id) do update set is_active = true`.execute(tx)
  await sql`
    insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
    select ${organization_id}, user_id, stream_id, ${outbox}, ${message}
    from unnest(${users}::bigint[], ${streams}::bigint[]) as joining (user_id, stream_id)`.execute(tx)
  return outbox
}

/** Takes people out of streams that they are in. The streams must be held. */
export async function endSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  leaving: readonly Leaving[],
): Promise<number> {
  const { outbox, message } = await takeBounds(tx)
  const users = leaving.map(({ user_id }) => user_id)
  const streams = leaving.map(({ stream_id }) => stream_id)
  const those = sql`
    from unnest(${users}::bigint[], ${streams}::bigint[]) as leaving (user_id, stream_id)
    where own.organization_id = ${organization_id}
      and own.user_id = leaving.user_id and own.stream_id = leaving.stream_id`
  await sql`update subscription own set is_active = false ${those}`.execute(tx)
  await sql`
    update subscription_period own set to_outbox_id = ${outbox}, to_message_id = ${message} ${those}
      and to_outbox_id is null`.execute(tx)
  return outbox
}

/** Takes everyone out of a stream. It must be held. */
export async function endAllSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<number> {
  const { outbox, message } = await takeBounds(tx)
  await tx
    .updateTable('subscription')
    .set({ is_active: false })
    .where('organization_id', '=', organization_id)
    .where('stream_id', '=', stream_id)
    .where('is_active', '=', true)
    .execute()
  await tx
    .updateTable('subscription_period')
    .set({ to_outbox_id: outbox, to_message_id: message })
    .where('organization_id', '=', organization_id)
    .where('stream_id', '=', stream_id)
    .where('to_outbox_id', 'is', null)
    .execute()
  return outbox
}

/**
 * Deletes every trace that an account was in these streams, so that it reads nothing that it received there. It must not
 * be in any of them now. The streams must be held, or the roles alone.
 */
export async function deleteMemberships(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
  streams: readonly StreamId[],
): Promise<void> {
  for (const table of ['subscription_period', 'subscription'] as const) {
    await tx
      .deleteFrom(table)
      .where('organization_id', '=', organization_id)
      .where('user_id', '=', user_id)
      .where((eb) => eb('stream_id', '=', eb.fn.any(eb.val([...streams]))))
      .execute()
  }
}

/**
 * Someone who was deactivated is active again: nothing came to them while they were away. The roles must be held
 * alone, so nobody sends anything meanwhile, and the account's new period has begun.
 */
export async function partPeriods(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
): Promise<void> {
  await sql`
    with away as (
      select old.to_outbox_id, old.to_message_id, now.from_outbox_id, now.from_message_id
      from role_period old join role_period now using (organization_id, user_id)
      where organization_id = ${organization_id} and user_id = ${user_id}
        and old.to_outbox_id is not null and now.to_outbox_id is null
      order by old.to_outbox_id desc limit 1
    ), lasting as materialized (
      -- Those that ended meanwhile, too.
      select p.stream_id, p.from_outbox_id, p.to_outbox_id is null as is_open from subscription_period p, away
      where p.organization_id = ${organization_id} and p.user_id = ${user_id}
        and (p.to_outbox_id is null or p.to_outbox_id > away.to_outbox_id)
    ), ended as (
      update subscription_period p set to_outbox_id = away.to_outbox_id, to_message_id = away.to_message_id
      from lasting, away
      where p.organization_id = ${organization_id} and p.user_id = ${user_id}
        and p.stream_id = lasting.stream_id and p.from_outbox_id = lasting.from_outbox_id
      returning p.stream_id, lasting.is_open, away.from_outbox_id, away.from_message_id
    )
    insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
    select ${organization_id}, ${user_id}, stream_id, from_outbox_id, from_message_id from ended
    where is_open`.execute(tx)
}
