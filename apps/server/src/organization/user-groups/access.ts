import {
  ApiError,
  allowedBy,
  type Decision,
  isAdministrator,
  Role,
  refusedBy,
  type UserGroupId,
  type UserId,
} from '@oxbow/contract'
import { recheckActor } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { UserGroupRow } from '../../platform/database/tables.ts'
import { decideMayEditGroups } from '../permissions.ts'
import { getOrganization } from '../queries.ts'
import { givesRights, isMember, listAccounts, listExistingGroups, lockGroup } from './queries.ts'

/**
 * The roles that see user groups in states and events, and whose messages can mention groups. The contract
 * has the same rule for the endpoints.
 */
export const rolesThatSeeGroups = [Role.owner, Role.administrator, Role.moderator, Role.member] as const

export const canSeeGroups = ({ role }: Pick<Actor, 'role'>): boolean =>
  rolesThatSeeGroups.some((seeing) => seeing === role)

/** Throws if only administrators may change groups in the organization and the actor is not one. */
export async function requireEditGroupsPermission(tx: Tx, actor: Actor): Promise<void> {
  const organization = await getOrganization(tx, actor.organization_id)
  if (!decideMayEditGroups(organization, actor).allowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}

export async function decideMayEditGroup(
  db: Db,
  { role, user_id }: Pick<Actor, 'role' | 'user_id'>,
  group: Pick<UserGroupRow, 'organization_id' | 'id'>,
): Promise<Decision> {
  if (isAdministrator(role)) return allowedBy('administrator')
  if (!(await isMember(db, group, user_id))) return refusedBy('outside_group')
  return (await givesRights(db, group)) ? refusedBy('group_gives_rights') : allowedBy('in_group')
}

/** Locks and returns a group. Throws unless the actor is a member of it or an administrator. */
export async function accessGroupToEdit(tx: Tx, actor: Actor, id: UserGroupId): Promise<UserGroupRow> {
  const group = await lockGroup(tx, actor.organization_id, id)
  if (!group) throw new ApiError('USER_GROUP_INVALID')
  await recheckActor(tx, actor)
  const { allowed, rule } = await decideMayEditGroup(tx, actor, group)
  if (allowed) return group
  throw new ApiError(rule === 'group_gives_rights' ? 'USER_GROUP_GIVES_RIGHTS' : 'USER_GROUP_OF_OTHERS')
}

/** Returns the ids without duplicates in ascending order. Throws if an id belongs to no group of people. */
export async function accessGroups(
  tx: Tx,
  { organization_id }: Actor,
  ids: readonly UserGroupId[],
): Promise<UserGroupId[]> {
  const existing = await listExistingGroups(tx, organization_id, ids)
  if (ids.some((id) => !existing.has(id))) throw new ApiError('USER_GROUP_INVALID')
  return [...existing].sort((a, b) => a - b)
}

/** Returns the ids without duplicates in ascending order. Throws if an id belongs to no account. */
export async function accessAccounts(
  tx: Tx,
  { organization_id }: Actor,
  ids: readonly UserId[],
): Promise<UserId[]> {
  if (ids.length === 0) return []
  const existingIds = await listAccounts(tx, organization_id, ids)
  const unknown = ids.find((id) => !existingIds.has(id))
  if (unknown !== undefined) throw new ApiError('INVALID_USER_ID', { id: unknown })
  return [...existingIds].sort((a, b) => a - b)
}
