import {
  type InheritedSetting,
  inheritedSettings,
  type OrganizationId,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type {
  OrganizationRow,
  StreamRow,
  SubscriptionRow,
  Tables,
  UserRow,
} from '../../platform/database/tables.ts'
import { type AccountKey, orderByName, type StreamWithMembership, selectStreams } from '../queries.ts'
import type { UsedColors } from './colors.ts'

/** A user's own settings for a stream. */
export type PersonalSettings = Pick<SubscriptionRow, 'color' | 'is_muted' | 'pin_to_top' | InheritedSetting>

export const personalColumns = ['color', 'is_muted', 'pin_to_top', ...inheritedSettings] as const

/** The account settings that apply to streams without a setting of their own. */
export type InheritedSettings = Record<InheritedSetting, boolean>

/** A user whose subscriptions change, with the fields shown in events. */
export interface Subscriber
  extends Pick<UserRow, 'id' | 'role' | 'delivery_email' | 'bot_type' | 'bot_owner_id' | 'is_active'>,
    Pick<OrganizationRow, 'email_address_visibility'>,
    InheritedSettings {}

const inheritedColumns = [
  'setting.enable_stream_desktop_notifications as desktop_notifications',
  'setting.enable_stream_audible_notifications as audible_notifications',
  'setting.enable_stream_push_notifications as push_notifications',
  'setting.enable_stream_email_notifications as email_notifications',
  'setting.wildcard_mentions_notify',
] as const

function selectSubscribers(db: Db, organization_id: OrganizationId) {
  return db
    .selectFrom('user_account as u')
    .innerJoin('organization', 'organization.id', 'u.organization_id')
    .innerJoin('user_setting as setting', (join) =>
      join.onRef('setting.organization_id', '=', 'u.organization_id').onRef('setting.user_id', '=', 'u.id'),
    )
    .select(['u.id', 'u.role', 'u.delivery_email', 'u.bot_type', 'u.bot_owner_id', 'u.is_active'])
    .select('organization.email_address_visibility')
    .select(inheritedColumns)
    .where('u.organization_id', '=', organization_id)
}

/** Lists active accounts by id. */
export async function listSubscribersById(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly number[],
): Promise<Subscriber[]> {
  return selectSubscribers(db, organization_id)
    .where('u.is_active', '=', true)
    .where((eb) => eb('u.id', '=', eb.fn.any(eb.val([...ids] as UserId[]))))
    .execute()
}

/** Lists active accounts by delivery address. `emails` must be in lower case. */
export async function listSubscribersByEmail(
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Subscriber[]> {
  return selectSubscribers(db, organization_id)
    .where('u.is_active', '=', true)
    .where((eb) => eb(eb.fn('lower', ['u.delivery_email']), '=', eb.fn.any(eb.val([...emails]))))
    .execute()
}

export async function getSubscriber(db: Db, { organization_id, user_id }: AccountKey): Promise<Subscriber> {
  return selectSubscribers(db, organization_id).where('u.id', '=', user_id).executeTakeFirstOrThrow()
}

/** Lists the bots of these owners. Includes deactivated bots, because they stay subscribed. */
export async function listBotsOfOwners(
  db: Db,
  organization_id: OrganizationId,
  owners: readonly UserId[],
): Promise<Subscriber[]> {
  if (owners.length === 0) return []
  return selectSubscribers(db, organization_id)
    .where((eb) => eb('u.bot_owner_id', '=', eb.fn.any(eb.val([...owners]))))
    .orderBy('u.id')
    .execute()
}

/**
 * Lists the bots, including deactivated ones, that are subscribed to this stream while their owners
 * are not.
 */
export async function listBotsWithoutOwner(
  db: Db,
  { organization_id, id: stream_id }: Pick<StreamRow, 'organization_id' | 'id'>,
): Promise<Subscriber[]> {
  return selectSubscribers(db, organization_id)
    .innerJoin('subscription as own', (join) =>
      join
        .onRef('own.organization_id', '=', 'u.organization_id')
        .onRef('own.user_id', '=', 'u.id')
        .on('own.stream_id', '=', stream_id)
        .on('own.is_active', '=', true),
    )
    .where('u.bot_owner_id', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('subscription as of_owner')
            .whereRef('of_owner.organization_id', '=', 'u.organization_id')
            .whereRef('of_owner.user_id', '=', 'u.bot_owner_id')
            .where('of_owner.stream_id', '=', stream_id)
            .where('of_owner.is_active', '=', true),
        ),
      ),
    )
    .orderBy('u.id')
    .execute()
}

/**
 * Returns the inherited settings of these users and prevents changes to them until the transaction
 * ends, so that events about subscriptions and about these settings keep the order of the changes.
 */
export async function lockInheritedSettingsShared(
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, InheritedSettings>> {
  // KEY SHARE blocks only changes of these settings, not of other columns.
  const rows = await tx
    .selectFrom('user_setting as setting')
    .select('setting.user_id')
    .select(inheritedColumns)
    .where('setting.organization_id', '=', organization_id)
    .where((eb) => eb('setting.user_id', '=', eb.fn.any(eb.val([...users]))))
    .forKeyShare()
    .execute()
  return new Map(rows.map((row) => [row.user_id, row]))
}

/**
 * Locks the account's inherited settings before a change. Waits for transactions that hold the
 * shared lock.
 */
export async function lockInheritedSettings(tx: Tx, { organization_id, user_id }: AccountKey): Promise<void> {
  await sql`
    select from user_setting where organization_id = ${organization_id} and user_id = ${user_id}
    for update`.execute(tx)
}

/** Lists the account's current and former streams that inherit this setting. */
export async function listInheritingStreams(
  db: Db,
  { organization_id, user_id }: AccountKey,
  setting: InheritedSetting,
): Promise<Pick<StreamRow, 'id' | 'name'>[]> {
  return db
    .selectFrom('subscription')
    .innerJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'subscription.organization_id')
        .onRef('stream.id', '=', 'subscription.stream_id'),
    )
    .select(['stream.id', 'stream.name'])
    .where('subscription.organization_id', '=', organization_id)
    .where('subscription.user_id', '=', user_id)
    .where(`subscription.${setting}`, 'is', null)
    .where('stream.archived_at', 'is', null)
    .orderBy('stream.id')
    .execute()
}

export interface SubscriptionSettings extends PersonalSettings {
  user_id: UserId
  stream_id: StreamId
  is_active: boolean
}

/** Lists current and former subscriptions of these users to these streams. */
export async function listSubscriptions(
  db: Db,
  organization_id: OrganizationId,
  users: readonly UserId[],
  streams: readonly StreamId[],
): Promise<SubscriptionSettings[]> {
  return db
    .selectFrom('subscription')
    .select(['user_id', 'stream_id', 'is_active', ...personalColumns])
    .where('organization_id', '=', organization_id)
    .where((eb) => eb('user_id', '=', eb.fn.any(eb.val([...users]))))
    .where((eb) => eb('stream_id', '=', eb.fn.any(eb.val([...streams]))))
    .execute()
}

/** Returns the colours of each user's current subscriptions. Omits users without subscriptions. */
export async function listUsedColors(
  db: Db,
  organization_id: OrganizationId,
  users: readonly UserId[],
): Promise<Map<UserId, UsedColors>> {
  const { rows } = await sql<{ user_id: UserId; colors: string[]; streams: number }>`
    select asked.user_id, used.colors, used.streams
    from unnest(${users}::bigint[]) as asked (user_id)
    cross join lateral (
      select array_agg(distinct color) as colors, count(*) as streams from subscription
      where organization_id = ${organization_id} and user_id = asked.user_id and is_active
    ) as used
    where used.streams > 0`.execute(db)
  return new Map(rows.map(({ user_id, colors, streams }) => [user_id, { colors: new Set(colors), streams }]))
}

export interface StreamWithSettings extends StreamWithMembership {
  /** Null if the account was never subscribed. */
  settings: PersonalSettings | null
}

const selectSettings = sql<PersonalSettings | null>`
  case when subscription.user_id is not null then json_build_object(${sql.join(
    personalColumns.flatMap((name) => [sql.lit(name), sql.ref(`subscription.${name}`)]),
  )}) end`

/**
 * Lists streams that are not archived, by name, with the account's settings: all streams, or only
 * those that the account is subscribed to.
 */
export async function listStreamsWithSettings(
  db: Db,
  owner: AccountKey,
  scope: 'all' | 'own',
): Promise<StreamWithSettings[]> {
  const streams = selectStreams(db, owner)
    .select(selectSettings.as('settings'))
    .where('stream.archived_at', 'is', null)
    .orderBy(orderByName)
  return scope === 'all' ? streams.execute() : streams.where('subscription.is_active', '=', true).execute()
}

export async function updateSubscription(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  stream_id: StreamId,
  values: Updateable<Tables['subscription']>,
): Promise<void> {
  await tx
    .updateTable('subscription')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('stream_id', '=', stream_id)
    .execute()
}
