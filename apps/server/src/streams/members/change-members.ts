import { type OrganizationId, Role, type StreamId, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { allocateBounds } from '../../platform/database/period-bounds.ts'

/** A user who is being subscribed. The colour is used only if the user was never subscribed. */
export interface Joining {
  user_id: UserId
  stream_id: StreamId
  color: string
}

/** A subscriber who is being unsubscribed. */
export type Leaving = Pick<Joining, 'user_id' | 'stream_id'>

/**
 * Subscribes users to streams that they are not subscribed to. The streams must be locked. Returns
 * the outbox id at which the subscription periods begin. The number of statements does not depend
 * on the number of users.
 */
export async function beginSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  joining: readonly Joining[],
): Promise<number> {
  const { outbox, message } = await allocateBounds(tx)
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

/**
 * Unsubscribes users from streams. The streams must be locked. Returns the outbox id at which the
 * subscription periods end.
 */
export async function endSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  leaving: readonly Leaving[],
): Promise<number> {
  const { outbox, message } = await allocateBounds(tx)
  const users = leaving.map(({ user_id }) => user_id)
  const streams = leaving.map(({ stream_id }) => stream_id)
  const matchLeaving = sql`
    from unnest(${users}::bigint[], ${streams}::bigint[]) as leaving (user_id, stream_id)
    where own.organization_id = ${organization_id}
      and own.user_id = leaving.user_id and own.stream_id = leaving.stream_id`
  await sql`update subscription own set is_active = false ${matchLeaving}`.execute(tx)
  await sql`
    update subscription_period own set to_outbox_id = ${outbox}, to_message_id = ${message} ${matchLeaving}
      and to_outbox_id is null`.execute(tx)
  return outbox
}

/**
 * Unsubscribes everyone from a stream, which must be locked. Returns the guests among them, and the outbox id
 * at which the subscription periods end.
 */
export async function endAllSubscriptions(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<{ at: number; guests: UserId[] }> {
  const { outbox, message } = await allocateBounds(tx)
  const guests = await listSubscribedGuests(tx, organization_id, stream_id)
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
  return { at: outbox, guests }
}

async function listSubscribedGuests(
  tx: Tx,
  organization_id: OrganizationId,
  stream_id: StreamId,
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select u.id from user_account u
    join subscription s on s.organization_id = u.organization_id and s.user_id = u.id
    where u.organization_id = ${organization_id} and u.role = ${sql.lit(Role.guest)}
      and s.stream_id = ${stream_id} and s.is_active`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Deletes all records of an account's membership in these streams, so that it can no longer read
 * the messages that it received there. The account must not be subscribed to any of them. The
 * streams must be locked, or the organization's role lock held exclusively.
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
 * Splits the subscription periods of a reactivated account at its deactivation, so that messages
 * sent while it was deactivated do not count as delivered. The organization's role lock must be
 * held exclusively, and the account's new role period must have begun.
 */
export async function splitPeriodsByAbsence(
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
      -- Also selects periods that ended while the account was deactivated.
      select p.stream_id, p.to_outbox_id, p.to_message_id from subscription_period p, away
      where p.organization_id = ${organization_id} and p.user_id = ${user_id}
        and (p.to_outbox_id is null or p.to_outbox_id > away.to_outbox_id)
    ), ended as (
      -- Selects the same periods again, because a join could compare each period with all others.
      update subscription_period p set to_outbox_id = away.to_outbox_id, to_message_id = away.to_message_id
      from away
      where p.organization_id = ${organization_id} and p.user_id = ${user_id}
        and (p.to_outbox_id is null or p.to_outbox_id > away.to_outbox_id)
      returning p.stream_id
    )
    -- The period after a subscription that ended during the absence is empty. It keeps when the subscription
    -- ended, on which depend rights in an archived stream and which changes of received messages are shown.
    insert into subscription_period
      (organization_id, user_id, stream_id, from_outbox_id, from_message_id, to_outbox_id, to_message_id)
    select ${organization_id}, ${user_id}, stream_id, coalesce(lasting.to_outbox_id, away.from_outbox_id),
      coalesce(lasting.to_message_id, away.from_message_id), lasting.to_outbox_id, lasting.to_message_id
    from lasting, away
    -- Old periods must have ended before new ones begin.
    where (select count(*) from ended) > 0`.execute(tx)
}
