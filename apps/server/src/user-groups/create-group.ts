import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessAccounts } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { groupAdded } from './events.ts'
import { checkGroupName } from './names.ts'
import { insertGroup, insertMembers } from './queries.ts'

type Create = typeof api.userGroups.create

export async function createGroup(
  app: App,
  actor: Actor,
  given: ParamsOf<Create>,
): Promise<ResponseOf<Create>> {
  const { organization_id } = actor
  return changeGroups(app, actor, async (tx) => {
    const name = checkGroupName(given.name)
    const members = await accessAccounts(tx, actor, given.members)
    const group = await insertGroup(tx, { organization_id, name, description: given.description })
    await insertMembers(tx, group, members)
    emit(tx, groupAdded(group, members))
    return { id: group.id }
  })
}
