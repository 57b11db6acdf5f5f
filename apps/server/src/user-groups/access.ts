import {
  ApiError,
  allowedBy,
  type Decision,
  isAdministrator,
  refusedBy,
  type UserGroupId,
  type UserId,
} from '@oxbow/contract'
import { recheckActor } from '../identity/write-as.ts'
import { decideToEditGroups } from '../organization/permissions.ts'
import { getOrganization } from '../organization/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { UserGroupRow } from '../platform/database/tables.ts'
import { isMember, listAccounts, lockGroup } from './queries.ts'

/** Throws where the organization restricts groups to administrators and the actor is none. */
export async function requireEditGroupsPermission(tx: Tx, actor: Actor): Promise<void> {
  const organization = await getOrganization(tx, actor.organization_id)
  if (!decideToEditGroups(organization, actor).allowed) throw new ApiError('MUST_BE_ADMINISTRATOR')
}

export async function decideToEditGroup(
  db: Db,
  { role, user_id }: Pick<Actor, 'role' | 'user_id'>,
  group: Pick<UserGroupRow, 'organization_id' | 'id'>,
): Promise<Decision> {
  if (isAdministrator(role)) return allowedBy('administrator')
  return (await isMember(db, group, user_id)) ? allowedBy('in_group') : refusedBy('outside_group')
}

/** Locks a group that the actor may edit: as a member of it or as an administrator. */
export async function accessGroupToEdit(tx: Tx, actor: Actor, id: UserGroupId): Promise<UserGroupRow> {
  const group = await lockGroup(tx, actor.organization_id, id)
  if (!group) throw new ApiError('USER_GROUP_INVALID')
  await recheckActor(tx, actor)
  if ((await decideToEditGroup(tx, actor, group)).allowed) return group
  throw new ApiError('USER_GROUP_OF_OTHERS')
}

/** Returns the ids without duplicates in ascending order. Throws for an id without an account. */
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
