import { ApiError } from '@oxbow/contract'
import { recheckActor } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockOrganization } from '../queries.ts'
import { countGroupMembers, countGroups, countSubgroups } from './queries.ts'

/**
 * Throws if the organization has the maximum number of groups. Locks the organization's row, so
 * that concurrent requests together cannot exceed the maximum.
 */
export async function refuseTooManyGroups({ config }: App, tx: Tx, actor: Actor): Promise<void> {
  const { groups_per_organization: limit } = config
  if (limit === 0) return
  await lockOrganization(tx, actor.organization_id)
  await recheckActor(tx, actor)
  if ((await countGroups(tx, actor.organization_id)) >= limit)
    throw new ApiError('TOO_MANY_USER_GROUPS', { limit })
}

/**
 * Throws if the groups of the organization have more members together than allowed. Call it after
 * members were added. Locks the organization's row, so that concurrent requests together cannot exceed
 * the maximum.
 */
export async function refuseTooManyMembers({ config }: App, tx: Tx, actor: Actor): Promise<void> {
  const { group_members_per_organization: limit } = config
  if (limit === 0) return
  await lockOrganization(tx, actor.organization_id)
  await recheckActor(tx, actor)
  if ((await countGroupMembers(tx, actor.organization_id)) > limit)
    throw new ApiError('TOO_MANY_GROUP_MEMBERS', { limit })
}

/** Maximum number of sub-groups of all groups of an organization: each send to a stream with rights may read them. */
const maxSubgroups = 2_000

/** Throws if the groups of the organization have more sub-groups together than allowed. */
export async function refuseTooManySubgroups(tx: Tx, { organization_id }: Actor): Promise<void> {
  if ((await countSubgroups(tx, organization_id)) > maxSubgroups)
    throw new ApiError('TOO_MANY_SUBGROUPS', { limit: maxSubgroups })
}
