import { ApiError, type OrganizationId, type UserGroup, type UserGroupId, type UserId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Tables, UserGroupRow } from '../../platform/database/tables.ts'

type GroupKey = Pick<UserGroupRow, 'organization_id' | 'id'>

/** Lists groups with their members, by id. */
export async function listGroups(db: Db, organization_id: OrganizationId): Promise<UserGroup[]> {
  const { rows } = await sql<UserGroup>`
    select g.id, g.name, g.description, array(
      select m.user_id from user_group_member m
      where m.organization_id = g.organization_id and m.group_id = g.id
      order by m.user_id) as members
    from user_group g
    where g.organization_id = ${organization_id}
    order by g.id`.execute(db)
  return rows
}

export async function countGroups(db: Db, organization_id: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('user_group')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts the members of all groups. A user counts once for each group. */
export async function countGroupMembers(db: Db, organization_id: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('user_group_member')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists groups with exactly these names. */
export async function listNamedGroups(
  db: Db,
  organization_id: OrganizationId,
  names: readonly string[],
): Promise<UserGroupRow[]> {
  if (names.length === 0) return []
  return db
    .selectFrom('user_group')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where((eb) => eb('name', '=', eb.fn.any(eb.val([...names]))))
    .execute()
}

/** Lists the active members of any of these groups. */
export async function listActiveMembers(
  db: Db,
  organization_id: OrganizationId,
  groups: readonly UserGroupId[],
): Promise<UserId[]> {
  if (groups.length === 0) return []
  const { rows } = await sql<{ id: UserId }>`
    select distinct u.id
    from user_group_member m
    join user_account u on u.organization_id = m.organization_id and u.id = m.user_id and u.is_active
    where m.organization_id = ${organization_id} and m.group_id = any(${groups}::bigint[])`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Locks a group. Every change of a group or its members takes this lock, so changes are serialized.
 */
export async function lockGroup(
  tx: Tx,
  organization_id: OrganizationId,
  id: UserGroupId,
): Promise<UserGroupRow | undefined> {
  return tx
    .selectFrom('user_group')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function isMember(db: Db, { organization_id, id }: GroupKey, user_id: UserId): Promise<boolean> {
  const found = await db
    .selectFrom('user_group_member')
    .select('user_id')
    .where('organization_id', '=', organization_id)
    .where('group_id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return found !== undefined
}

/** Filters `ids` to existing accounts, including deactivated ones. */
export async function listAccounts(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Set<UserId>> {
  const { rows } = await sql<{ id: UserId }>`
    select id from user_account
    where organization_id = ${organization_id} and id = any(${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function insertGroup(tx: Tx, values: Insertable<Tables['user_group']>): Promise<UserGroupRow> {
  return tx
    .insertInto('user_group')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => refuseTakenName(error, values.name))
}

export async function updateUserGroup(
  tx: Tx,
  { organization_id, id }: GroupKey,
  values: Updateable<Tables['user_group']>,
): Promise<void> {
  await tx
    .updateTable('user_group')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => refuseTakenName(error, String(values.name)))
}

function refuseTakenName(error: unknown, name: string): never {
  if (violatedConstraint(error) === 'user_group_name_key') throw new ApiError('USER_GROUP_EXISTS', { name })
  throw error
}

export async function deleteGroup(tx: Tx, { organization_id, id }: GroupKey): Promise<void> {
  await tx
    .deleteFrom('user_group')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

/** Adds users to a group. Returns those who were not members before. */
export async function insertMembers(
  tx: Tx,
  { organization_id, id }: GroupKey,
  users: readonly UserId[],
): Promise<Set<UserId>> {
  const { rows } = await sql<{ user_id: UserId }>`
    insert into user_group_member (organization_id, group_id, user_id)
    select ${organization_id}, ${id}, given.id from unnest(${users}::bigint[]) as given (id)
    on conflict do nothing
    returning user_id`.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Removes users from a group. Returns those who were members. */
export async function deleteMembers(
  tx: Tx,
  { organization_id, id }: GroupKey,
  users: readonly UserId[],
): Promise<Set<UserId>> {
  const { rows } = await sql<{ user_id: UserId }>`
    delete from user_group_member
    where organization_id = ${organization_id} and group_id = ${id} and user_id = any(${users}::bigint[])
    returning user_id`.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}
