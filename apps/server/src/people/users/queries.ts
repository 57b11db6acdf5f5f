import { ApiError, type OrganizationId, Role, type UserId } from '@oxbow/contract'
import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { listInSight } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Tables, UserRow } from '../../platform/database/tables.ts'

const shownColumns = [
  'user_account.organization_id',
  'user_account.id',
  'user_account.delivery_email',
  'user_account.full_name',
  'user_account.role',
  'user_account.is_active',
  'user_account.bot_type',
  'user_account.bot_owner_id',
  'user_account.avatar_source',
  'user_account.avatar_version',
  'user_account.timezone',
  'user_account.date_joined',
  'organization.email_address_visibility',
] as const

type ShownColumns = Pick<
  UserRow,
  | 'organization_id'
  | 'id'
  | 'delivery_email'
  | 'full_name'
  | 'role'
  | 'is_active'
  | 'bot_type'
  | 'bot_owner_id'
  | 'avatar_source'
  | 'avatar_version'
  | 'timezone'
  | 'date_joined'
>

export type ProfileValues = Record<string, { value: string; rendered_value: string | null }>

/** The columns from which user objects are built. */
export interface ShownUser extends ShownColumns {
  email_address_visibility: number
  profile_values: ProfileValues | null
}

/** Selects the columns from which user objects are built; joins the organization. */
export function selectShown(db: Db, withProfile: boolean) {
  const values = sql<ProfileValues | null>`(
    select json_object_agg(field_id, json_build_object('value', value, 'rendered_value', rendered_value))
    from profile_value
    where profile_value.organization_id = user_account.organization_id and profile_value.user_id = user_account.id)`
  return db
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'user_account.organization_id')
    .select(shownColumns)
    .select((withProfile ? values : sql<ProfileValues | null>`null`).as('profile_values'))
}

export const maxUsersPerPiece = 1_000

/**
 * Yields all users by id in pages, so that a list of 100,000 users blocks neither the event loop
 * nor a connection for long.
 */
export async function* listShownUsers(
  db: Db,
  organization_id: OrganizationId,
  withProfile: boolean,
): AsyncGenerator<ShownUser[]> {
  let after = 0
  for (;;) {
    const users = await selectShown(db, withProfile)
      .where('user_account.organization_id', '=', organization_id)
      .where('user_account.id', '>', after as UserId)
      .orderBy('user_account.id')
      .limit(maxUsersPerPiece)
      .execute()
    if (users.length > 0) yield users
    if (users.length < maxUsersPerPiece) return
    after = users.at(-1)?.id ?? after
  }
}

/** Lists these users by id. */
export async function listShownUsersById(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
  withProfile: boolean,
): Promise<ShownUser[]> {
  return selectShown(db, withProfile)
    .where('user_account.organization_id', '=', organization_id)
    .where((eb) => eb('user_account.id', '=', eb.fn.any(eb.val([...ids]))))
    .orderBy('user_account.id')
    .execute()
}

/** Yields the users whom a guest of limited sight sees, by id in pages. */
export async function* listShownUsersInSight(
  db: Db,
  { organization_id, user_id }: Pick<Actor, 'organization_id' | 'user_id'>,
  withProfile: boolean,
): AsyncGenerator<ShownUser[]> {
  const ids = await listInSight(db, { organization_id, user_id })
  for (let start = 0; start < ids.length; start += maxUsersPerPiece)
    yield listShownUsersById(db, organization_id, ids.slice(start, start + maxUsersPerPiece), withProfile)
}

export type DirectoryRow = Pick<
  UserRow,
  'id' | 'full_name' | 'role' | 'bot_type' | 'is_active' | 'avatar_version'
>

export const maxDirectoryRowsPerPiece = 2_000

/**
 * Yields all accounts by id in pages, with the columns of the directory. With `ids`, only those, which must
 * be in ascending order.
 */
export async function* listDirectoryRows(
  db: Db,
  organization_id: OrganizationId,
  ids?: readonly UserId[],
): AsyncGenerator<DirectoryRow[]> {
  let after = 0 as UserId
  for (;;) {
    const next = ids?.filter((id) => id > after).slice(0, maxDirectoryRowsPerPiece)
    const rows = await db
      .selectFrom('user_account')
      .select(['id', 'full_name', 'role', 'bot_type', 'is_active', 'avatar_version'])
      .where('organization_id', '=', organization_id)
      .where('id', '>', after)
      .$if(next !== undefined, (query) => query.where((eb) => eb('id', '=', eb.fn.any(eb.val(next ?? [])))))
      .orderBy('id')
      .limit(maxDirectoryRowsPerPiece)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < maxDirectoryRowsPerPiece) return
    after = rows.at(-1)?.id ?? after
  }
}

export type AddressedUser = Pick<
  UserRow,
  'id' | 'delivery_email' | 'bot_type' | 'avatar_source' | 'avatar_version'
>

/** Lists all users, active or not, by id, in chunks of `length`, with one statement. */
export async function listAddressedUsersInChunks(
  tx: Tx,
  organization_id: OrganizationId,
  length: number,
): Promise<AddressedUser[][]> {
  const { rows } = await sql<{ users: AddressedUser[] }>`
    select json_agg(json_build_object('id', id, 'delivery_email', delivery_email, 'bot_type', bot_type,
      'avatar_source', avatar_source, 'avatar_version', avatar_version) order by id) as users
    from (
      select *, (row_number() over (order by id) - 1) / ${length}::int as list
      from user_account where organization_id = ${organization_id}) as numbered
    group by list order by list`.execute(tx)
  return rows.map(({ users }) => users)
}

/** Returns the actor's account, with settings that only the account itself can see. */
export async function getOwnAccount(
  db: Db,
  { organization_id, user_id }: Pick<Actor, 'organization_id' | 'user_id'>,
): Promise<ShownUser & { enter_sends: boolean }> {
  return selectShown(db, false)
    .innerJoin('user_setting', (join) =>
      join
        .onRef('user_setting.organization_id', '=', 'user_account.organization_id')
        .onRef('user_setting.user_id', '=', 'user_account.id'),
    )
    .select('user_setting.enter_sends')
    .where('user_account.organization_id', '=', organization_id)
    .where('user_account.id', '=', user_id)
    .executeTakeFirstOrThrow()
}

export interface UserKey {
  organization_id: OrganizationId
  id: UserId
}

const findWithProfile = coalesce<UserKey, ShownUser>((db, keys) => findShown(db, keys, true))
const findWithoutProfile = coalesce<UserKey, ShownUser>((db, keys) => findShown(db, keys, false))

export async function findShownUser(
  db: Db,
  key: UserKey,
  withProfile: boolean,
): Promise<ShownUser | undefined> {
  return withProfile ? findWithProfile(db, key) : findWithoutProfile(db, key)
}

/**
 * Finds users by key, in the order of the keys. Ids are unique on the server, but the organization
 * is compared too, so that no organization can read users of another.
 */
async function findShown(db: Db, keys: UserKey[], withProfile: boolean): Promise<(ShownUser | undefined)[]> {
  const isRequested = sql<boolean>`(user_account.organization_id, user_account.id) in (
    select * from unnest(${keys.map((key) => key.organization_id)}::bigint[], ${keys.map((key) => key.id)}::bigint[]))`
  const users = await selectShown(db, withProfile).where(isRequested).execute()
  const byKey = new Map(users.map((user) => [`${user.organization_id}:${user.id}`, user]))
  return keys.map(({ organization_id, id }) => byKey.get(`${organization_id}:${id}`))
}

export async function findUser(
  db: Db,
  organization_id: OrganizationId,
  id: UserId,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('user_account')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks the row until the transaction ends. Inserts of rows that reference it do not wait. */
export async function lockUser(
  tx: Tx,
  organization_id: OrganizationId,
  id: UserId,
): Promise<UserRow | undefined> {
  return tx
    .selectFrom('user_account')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function findUserByDeliveryEmail(
  db: Db,
  organization_id: OrganizationId,
  email: string,
): Promise<UserRow | undefined> {
  return db
    .selectFrom('user_account')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where((eb) => eb(eb.fn('lower', ['delivery_email']), '=', email.toLowerCase()))
    .executeTakeFirst()
}

export async function listUsersById(
  db: Db,
  organization_id: OrganizationId,
  ids: UserId[],
): Promise<UserRow[]> {
  return (
    db
      .selectFrom('user_account')
      .selectAll()
      .where('organization_id', '=', organization_id)
      // An array is a single parameter; a statement can have at most 65,535 parameters.
      .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
      .execute()
  )
}

export async function listActiveBotsOf(
  tx: Tx,
  organization_id: OrganizationId,
  owner: UserId,
): Promise<Pick<UserRow, 'organization_id' | 'id' | 'full_name' | 'role' | 'bot_type' | 'bot_owner_id'>[]> {
  return tx
    .selectFrom('user_account')
    .select(['organization_id', 'id', 'full_name', 'role', 'bot_type', 'bot_owner_id'])
    .where('organization_id', '=', organization_id)
    .where('bot_owner_id', '=', owner)
    .where('is_active', '=', true)
    .orderBy('id')
    .execute()
}

/** Lists bots of this owner, active or not, whose role is higher than `role`. */
export async function listBotsAboveRole(
  tx: Tx,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
  role: Role,
): Promise<UserRow[]> {
  return tx
    .selectFrom('user_account')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('bot_owner_id', '=', id)
    .where('role', '<', role)
    .orderBy('id')
    .execute()
}

export async function countActivePeople(tx: Tx, organization_id: OrganizationId): Promise<number> {
  const { people } = await tx
    .selectFrom('user_account')
    .select((eb) => eb.fn.countAll<number>().as('people'))
    .where('organization_id', '=', organization_id)
    .where('is_active', '=', true)
    .where('bot_type', 'is', null)
    .executeTakeFirstOrThrow()
  return people
}

/**
 * Counts active owners who are people. Bots do not count: if a bot were the only owner, nobody
 * could administer the organization.
 */
export async function countActiveOwners(db: Db, organization_id: OrganizationId): Promise<number> {
  const { owners } = await db
    .selectFrom('user_account')
    .select((eb) => eb.fn.countAll<number>().as('owners'))
    .where('organization_id', '=', organization_id)
    .where('role', '=', Role.owner)
    .where('is_active', '=', true)
    .where('bot_type', 'is', null)
    .executeTakeFirstOrThrow()
  return owners
}

export async function isOnlyActiveAccount(
  tx: Tx,
  organization_id: OrganizationId,
  id: UserId,
): Promise<boolean> {
  const other = await tx
    .selectFrom('user_account')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('is_active', '=', true)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/**
 * Returns whether any account other than `except` has this name, including deactivated users and the
 * server's own accounts: a bot with such a name would get mentions meant for them. Ignores case and
 * compatibility variants, such as full-width letters.
 */
export async function isNameOfAccount(
  db: Db,
  organization_id: OrganizationId,
  full_name: string,
  except?: UserId,
): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (
      select from user_account
      where organization_id = ${organization_id} and ${comparable(sql`full_name`)} = ${comparable(full_name)}
        and id <> ${except ?? 0}
    ) or exists (
      select from system_account where ${comparable(sql`full_name`)} = ${comparable(full_name)}
    ) as "isTaken"`.execute(db)
  return rows[0]?.isTaken ?? false
}

const comparable = (name: string | RawBuilder<unknown>) => sql`lower(normalize(${name}::text, NFKC))`

export async function insertUser(tx: Tx, values: Insertable<Tables['user_account']>): Promise<UserRow> {
  return tx
    .insertInto('user_account')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'user_account_email_key') {
        throw new ApiError('EMAIL_IN_USE', { email: values.delivery_email })
      }
      throw error
    })
}

/** Inserts the row of settings, which every account must have. */
export async function insertSettings(tx: Tx, values: Insertable<Tables['user_setting']>): Promise<void> {
  await tx.insertInto('user_setting').values(values).execute()
}

export async function updateUserRow(
  tx: Tx,
  organization_id: OrganizationId,
  id: UserId,
  values: Updateable<Tables['user_account']>,
): Promise<void> {
  await tx
    .updateTable('user_account')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}
