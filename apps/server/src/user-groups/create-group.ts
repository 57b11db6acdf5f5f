import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { recheckActor } from '../identity/write-as.ts'
import { lockOrganization } from '../organization/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { accessAccounts } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { groupAdded } from './events.ts'
import { checkGroupName } from './names.ts'
import { countGroups, insertGroup, insertMembers } from './queries.ts'

type Create = typeof api.userGroups.create

export async function createGroup(
  app: App,
  actor: Actor,
  params: ParamsOf<Create>,
): Promise<ResponseOf<Create>> {
  const { organization_id } = actor
  return changeGroups(app, actor, async (tx) => {
    const name = checkGroupName(params.name)
    const members = await accessAccounts(tx, actor, params.members)
    await refuseTooManyGroups(app, tx, actor)
    const group = await insertGroup(tx, { organization_id, name, description: params.description })
    await insertMembers(tx, group, members)
    emit(tx, groupAdded(group, members))
    return { id: group.id }
  })
}

/**
 * Throws if the organization has the maximum number of groups. Locks the organization's row, so
 * that concurrent requests together cannot exceed the maximum.
 */
async function refuseTooManyGroups({ config }: App, tx: Tx, actor: Actor): Promise<void> {
  const { groups_per_organization: limit } = config
  if (limit === 0) return
  await lockOrganization(tx, actor.organization_id)
  await recheckActor(tx, actor)
  if ((await countGroups(tx, actor.organization_id)) >= limit)
    throw new ApiError('TOO_MANY_USER_GROUPS', { limit })
}
