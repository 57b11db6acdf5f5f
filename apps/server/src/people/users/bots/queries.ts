import type { BotType, OrganizationId, StreamId, UserId } from '@oxbow/contract'
import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { BotServiceRow, Tables, UserRow } from '../../../platform/database/tables.ts'

/** Identifies the account of a bot or of its owner. */
export interface AccountKey {
  organization_id: OrganizationId
  user_id: UserId
}

type Account = Pick<
  UserRow,
  | 'organization_id'
  | 'id'
  | 'delivery_email'
  | 'full_name'
  | 'is_active'
  | 'bot_owner_id'
  | 'api_key_sealed'
  | 'avatar_source'
  | 'avatar_version'
>

type Service = Pick<BotServiceRow, 'name' | 'base_url' | 'interface' | 'token_sealed' | 'config_sealed'>

/** The columns from which bot objects are built. A default stream is null if it is archived. */
export interface ShownBot extends Account {
  bot_type: BotType
  default_sending_stream: string | null
  default_events_register_stream: string | null
  default_all_public_streams: boolean
  service: Service | null
}

function selectBots(db: Db, organization_id: OrganizationId) {
  return db
    .selectFrom('user_account as account')
    .leftJoin('bot_setting as setting', (join) =>
      join
        .onRef('setting.organization_id', '=', 'account.organization_id')
        .onRef('setting.user_id', '=', 'account.id'),
    )
    .leftJoin('stream as sending', (join) =>
      join
        .onRef('sending.organization_id', '=', 'setting.organization_id')
        .onRef('sending.id', '=', 'setting.default_sending_stream_id')
        .on('sending.archived_at', 'is', null),
    )
    .leftJoin('stream as events', (join) =>
      join
        .onRef('events.organization_id', '=', 'setting.organization_id')
        .onRef('events.id', '=', 'setting.default_events_register_stream_id')
        .on('events.archived_at', 'is', null),
    )
    .leftJoin('bot_service as service', (join) =>
      join
        .onRef('service.organization_id', '=', 'account.organization_id')
        .onRef('service.user_id', '=', 'account.id'),
    )
    .select([
      'account.organization_id',
      'account.id',
      'account.delivery_email',
      'account.full_name',
      'account.is_active',
      'account.bot_type',
      'account.bot_owner_id',
      'account.api_key_sealed',
      'account.avatar_source',
      'account.avatar_version',
      'sending.name as default_sending_stream',
      'events.name as default_events_register_stream',
      sql<boolean>`coalesce(setting.default_all_public_streams, false)`.as('default_all_public_streams'),
      'service.user_id as service_of',
      'service.name',
      'service.base_url',
      'service.interface',
      'service.token_sealed',
      'service.config_sealed',
    ])
    .where('account.organization_id', '=', organization_id)
    .where('account.bot_type', 'is not', null)
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectBots>['execute']>>[number]

function toShownBot(row: Selected): ShownBot {
  const { service_of, name, base_url, interface: botInterface, token_sealed, config_sealed, ...bot } = row
  const service = {
    name,
    base_url: base_url ?? '',
    interface: botInterface ?? 1,
    token_sealed,
    config_sealed,
  }
  return { ...bot, bot_type: bot.bot_type as BotType, service: service_of === null ? null : service }
}

export async function getBot(db: Db, { organization_id, user_id }: AccountKey): Promise<ShownBot> {
  return toShownBot(
    await selectBots(db, organization_id).where('account.id', '=', user_id).executeTakeFirstOrThrow(),
  )
}

/** Lists the bots of an organization or of one owner, by id, including deactivated ones. */
export async function listBots(
  db: Db,
  organization_id: OrganizationId,
  owner: UserId | 'anyone',
): Promise<ShownBot[]> {
  const bots = selectBots(db, organization_id)
  const chosen = owner === 'anyone' ? bots : bots.where('account.bot_owner_id', '=', owner)
  return (await chosen.orderBy('account.id').execute()).map(toShownBot)
}

/**
 * Counts the bots of an owner. Includes deactivated bots, because clients have them in their state
 * too.
 */
export async function countBots(db: Db, { organization_id, user_id: owner }: AccountKey): Promise<number> {
  const { count } = await db
    .selectFrom('user_account')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('bot_owner_id', '=', owner)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the active bots of an owner, the oldest first. */
export async function listActiveBots(
  db: Db,
  { organization_id, user_id: owner }: AccountKey,
): Promise<ShownBot[]> {
  const rows = await selectBots(db, organization_id)
    .where('account.bot_owner_id', '=', owner)
    .where('account.is_active', '=', true)
    .orderBy('account.date_joined')
    .orderBy('account.id')
    .execute()
  return rows.map(toShownBot)
}

export type BotSettings = Omit<Insertable<Tables['bot_setting']>, keyof AccountKey>

/** Changes the given settings and keeps the others. */
export async function changeBotSettings(tx: Tx, account: AccountKey, settings: BotSettings): Promise<void> {
  await tx
    .insertInto('bot_setting')
    .values({ ...account, ...settings })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(settings))
    .execute()
}

const defaultStreams = ['default_sending_stream', 'default_events_register_stream'] as const

/** Removes these streams from a bot's defaults and returns the names of the cleared defaults. */
export async function clearDefaultStreams(
  tx: Tx,
  { organization_id, user_id }: AccountKey,
  streams: readonly StreamId[],
): Promise<(typeof defaultStreams)[number][]> {
  const cleared: (typeof defaultStreams)[number][] = []
  for (const name of defaultStreams) {
    const { numUpdatedRows } = await tx
      .updateTable('bot_setting')
      .set({ [`${name}_id`]: null })
      .where('organization_id', '=', organization_id)
      .where('user_id', '=', user_id)
      .where((eb) => eb(`${name}_id`, '=', eb.fn.any(eb.val([...streams]))))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) cleared.push(name)
  }
  return cleared
}

export type ServiceChange = Partial<Omit<Insertable<Tables['bot_service']>, keyof AccountKey>>

/** Changes the given columns of a bot's service and keeps the others. */
export async function changeService(tx: Tx, account: AccountKey, change: ServiceChange): Promise<void> {
  await tx
    .insertInto('bot_service')
    .values({ ...account, ...change })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(change))
    .execute()
}
