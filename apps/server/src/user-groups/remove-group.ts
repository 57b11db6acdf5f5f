import type { api, ParamsOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessGroupToEdit } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { groupRemoved } from './events.ts'
import { deleteGroup } from './queries.ts'

/** Deletes a group. Messages that mention it do not change. */
export async function removeGroup(
  app: App,
  actor: Actor,
  { user_group_id }: ParamsOf<typeof api.userGroups.remove>,
): Promise<object> {
  return changeGroups(app, actor, async (tx) => {
    const group = await accessGroupToEdit(tx, actor, user_group_id)
    await deleteGroup(tx, group)
    emit(tx, groupRemoved(group))
    return {}
  })
}
