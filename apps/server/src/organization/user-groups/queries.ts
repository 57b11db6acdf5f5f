import { ApiError, type OrganizationId, type UserGroup, type UserGroupId, type UserId } from '@oxbow/contract'
import { type Insertable, sql, type Updateable } from 'kysely'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { Tables, UserGroupRow } from '../../platform/database/tables.ts'

type GroupKey = Pick<UserGroupRow, 'organization_id' | 'id'>

/** Lists groups of people with their members, by id. */
export async function listGroups(db: Db, organization_id: OrganizationId): Promise<UserGroup[]> {
  const { rows } = await sql<UserGroup>`
    select g.id, g.name, g.description, array(
      select m.user_id from user_group_member m
      where m.organization_id = g.organization_id and m.group_id = g.id
      order by m.user_id) as members, array(
      select s.subgroup_id from user_group_subgroup s
      where s.organization_id = g.organization_id and s.group_id = g.id
      order by s.subgroup_id) as direct_subgroup_ids, false as is_system_group
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

/** Filters `ids` to groups that exist, other than system groups. */
export async function listExistingGroups(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserGroupId[],
): Promise<Set<UserGroupId>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('user_group')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ids]))))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Lists the active members of any of these groups and of their sub-groups. */
export async function listActiveMembers(
  db: Db,
  organization_id: OrganizationId,
  groups: readonly UserGroupId[],
): Promise<UserId[]> {
  if (groups.length === 0) return []
  const { rows } = await sql<{ id: UserId }>`
    with recursive contained (id) as (
      select * from unnest(${groups}::bigint[])
      union
      select g.subgroup_id from contained
      join user_group_subgroup g on g.organization_id = ${organization_id} and g.group_id = contained.id
    )
    select distinct u.id
    from contained
    join user_group_member m on m.organization_id = ${organization_id} and m.group_id = contained.id
    join user_account u on u.organization_id = m.organization_id and u.id = m.user_id and u.is_active`.execute(
    db,
  )
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

/** Returns whether a stream gives rights to the group, or to a group that contains it. */
export async function givesRights(db: Db, { organization_id, id }: GroupKey): Promise<boolean> {
  const { rows } = await sql`
    with recursive containing (id) as (
      select ${id}::bigint
      union
      select g.group_id from containing
      join user_group_subgroup g on g.organization_id = ${organization_id} and g.subgroup_id = containing.id
    )
    select from stream s
    where s.organization_id = ${organization_id} and s.rights <> '{}' and s.archived_at is null and exists (
      select from jsonb_each(s.rights) as given, containing
      where given.value -> 'direct_subgroups' @> to_jsonb(containing.id))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Returns the name of a stream that names the group in a right; undefined if there is none. */
export async function findStreamOfGroup(
  db: Db,
  { organization_id, id }: GroupKey,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select s.name from stream s
    where s.organization_id = ${organization_id} and s.rights <> '{}' and s.archived_at is null and exists (
      select from jsonb_each(s.rights) as given where given.value -> 'direct_subgroups' @> to_jsonb(${id}::bigint))
    order by s.id limit 1`.execute(db)
  return rows[0]?.name
}

/** Adds sub-groups to a group. Returns those that it did not contain before. */
export async function insertSubgroups(
  tx: Tx,
  { organization_id, id }: GroupKey,
  subgroups: readonly UserGroupId[],
): Promise<Set<UserGroupId>> {
  const { rows } = await sql<{ subgroup_id: UserGroupId }>`
    insert into user_group_subgroup (organization_id, group_id, subgroup_id)
    select ${organization_id}, ${id}, given.id from unnest(${subgroups}::bigint[]) as given (id)
    on conflict do nothing
    returning subgroup_id`.execute(tx)
  return new Set(rows.map(({ subgroup_id }) => subgroup_id))
}

/** Removes sub-groups from a group. Returns those that it contained. */
export async function deleteSubgroups(
  tx: Tx,
  { organization_id, id }: GroupKey,
  subgroups: readonly UserGroupId[],
): Promise<Set<UserGroupId>> {
  const { rows } = await sql<{ subgroup_id: UserGroupId }>`
    delete from user_group_subgroup
    where organization_id = ${organization_id} and group_id = ${id} and subgroup_id = any(${subgroups}::bigint[])
    returning subgroup_id`.execute(tx)
  return new Set(rows.map(({ subgroup_id }) => subgroup_id))
}

/** Returns whether the group contains itself. */
export async function isInCircle(db: Db, { organization_id, id }: GroupKey): Promise<boolean> {
  const { rows } = await sql`
    with recursive contained (id) as (
      select g.subgroup_id from user_group_subgroup g
      where g.organization_id = ${organization_id} and g.group_id = ${id}
      union
      select g.subgroup_id from contained
      join user_group_subgroup g on g.organization_id = ${organization_id} and g.group_id = contained.id
    )
    select from contained where id = ${id}`.execute(db)
  return rows.length > 0
}

/** Counts the sub-groups of all groups. A group counts once for each group that contains it. */
export async function countSubgroups(db: Db, organization_id: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('user_group_subgroup')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  return Number(count)
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
