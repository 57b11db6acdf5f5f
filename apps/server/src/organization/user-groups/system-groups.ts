import {
  type OrganizationId,
  Role,
  SystemGroup,
  systemGroups,
  type UserGroup,
  type UserGroupId,
  type UserId,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { membersAdded, membersRemoved } from './events.ts'

/**
 * The system groups as clients of generation 371 see them. Each active account is listed in the narrowest
 * group only, and each group contains the next narrower one.
 */
const texts: Record<SystemGroup, readonly [name: string, description: string]> = {
  [SystemGroup.nobody]: ['role:nobody', 'Nobody'],
  [SystemGroup.owners]: ['role:owners', 'Owners of the organization'],
  [SystemGroup.administrators]: ['role:administrators', 'Administrators, and owners'],
  [SystemGroup.moderators]: ['role:moderators', 'Moderators, and administrators'],
  [SystemGroup.fullMembers]: ['role:fullmembers', 'Members who joined long enough ago, not counting guests'],
  [SystemGroup.members]: ['role:members', 'All members, not counting guests'],
  [SystemGroup.everyone]: ['role:everyone', 'All members and guests'],
}

/** Returns the system group that lists an account with this role. */
function listingGroup(role: Role, isNew: boolean): SystemGroup {
  switch (role) {
    case Role.owner:
      return SystemGroup.owners
    case Role.administrator:
      return SystemGroup.administrators
    case Role.moderator:
      return SystemGroup.moderators
    case Role.member:
      return isNew ? SystemGroup.members : SystemGroup.fullMembers
    case Role.guest:
      return SystemGroup.everyone
  }
}

function view(membersOf: (group: SystemGroup) => UserId[]): UserGroup[] {
  return systemGroups.map((group, index) => {
    const [name, description] = texts[group]
    const narrower = systemGroups[index - 1]
    const isContained = narrower !== undefined && narrower !== SystemGroup.nobody
    return {
      id: group as number as UserGroupId,
      name,
      description,
      members: membersOf(group),
      direct_subgroup_ids: isContained ? [narrower as number as UserGroupId] : [],
      is_system_group: true,
    }
  })
}

/** Lists the system groups with all active accounts. */
export async function listSystemGroups(db: Db, organization_id: OrganizationId): Promise<UserGroup[]> {
  const { rows } = await sql<{ role: Role; isNew: boolean; ids: UserId[] }>`
    select u.role, ${isNew} as "isNew", array_agg(u.id order by u.id) as ids
    from user_account u join organization o on o.id = u.organization_id
    where u.organization_id = ${organization_id} and u.is_active
    group by 1, 2`.execute(db)
  return view((group) =>
    rows
      .filter((row) => listingGroup(row.role, row.isNew) === group)
      .flatMap(({ ids }) => ids)
      .sort((a, b) => a - b),
  )
}

const isNew = sql<boolean>`date_part('epoch', now() - u.date_joined) < o.waiting_period_threshold * 86400::float8`

/** Returns the system groups without members, for clients that load people on demand. */
export const listSystemGroupsWithoutMembers = (): UserGroup[] => view(() => [])

/** Returns the system groups for a guest, who sees only whether they are a member themselves. */
export const viewSystemGroupsOfGuest = (guest: UserId): UserGroup[] =>
  view((group) => (group === SystemGroup.everyone ? [guest] : []))

/**
 * Emits that accounts leave and join system groups, because their role changed from `before` to `after`; null
 * while an account is deactivated or does not exist. The role lock must be held.
 */
export async function emitSystemGroups(
  tx: Tx,
  organization_id: OrganizationId,
  accounts: readonly { id: UserId; before: Role | null; after: Role | null }[],
): Promise<void> {
  const ids = accounts.map(({ id }) => id)
  const { rows } = await sql<{ id: UserId; isNew: boolean }>`
    select u.id, ${isNew} as "isNew" from user_account u join organization o on o.id = u.organization_id
    where u.organization_id = ${organization_id} and u.id = any(${ids}::bigint[])`.execute(tx)
  const newIds = new Set(rows.filter((row) => row.isNew).map(({ id }) => id))
  for (const { id, before, after } of accounts) {
    const [from, to] = [before, after].map((role) => role && listingGroup(role, newIds.has(id)))
    if (from === to) continue
    if (from) emit(tx, { ...membersRemoved(toGroup(organization_id, from), [id]), since: 371 })
    if (to) emit(tx, { ...membersAdded(toGroup(organization_id, to), [id]), since: 371 })
  }
}

const toGroup = (organization_id: OrganizationId, group: SystemGroup) => ({
  organization_id,
  id: group as number as UserGroupId,
})

/** Maximum number of accounts in one event. */
const maxAccountsPerEvent = 10_000

/**
 * Emits which members became full members, or no longer are, after `waiting_period_threshold` changed from
 * `before`. The role lock must be held exclusively.
 */
export async function emitFullMembers(
  tx: Tx,
  organization_id: OrganizationId,
  before: number,
  after: number,
): Promise<void> {
  if (before === after) return
  const { rows } = await sql<{ id: UserId }>`
    select id from user_account
    where organization_id = ${organization_id} and is_active and role = ${Role.member}
      and date_joined > now() - make_interval(days => ${Math.max(before, after)})
      and date_joined <= now() - make_interval(days => ${Math.min(before, after)})
    order by id`.execute(tx)
  const [from, to] =
    after < before
      ? [SystemGroup.members, SystemGroup.fullMembers]
      : [SystemGroup.fullMembers, SystemGroup.members]
  for (let start = 0; start < rows.length; start += maxAccountsPerEvent) {
    const ids = rows.slice(start, start + maxAccountsPerEvent).map(({ id }) => id)
    emit(tx, { ...membersRemoved(toGroup(organization_id, from), ids), since: 371 })
    emit(tx, { ...membersAdded(toGroup(organization_id, to), ids), since: 371 })
  }
}
