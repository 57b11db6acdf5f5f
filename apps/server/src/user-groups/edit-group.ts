import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { accessGroupToEdit } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { groupUpdated } from './events.ts'
import { checkGroupName } from './names.ts'
import { updateGroup } from './queries.ts'

/**
 * Changes name and description. Some clients always send both fields, and an empty text for an
 * unchanged one. An empty name therefore leaves the name unchanged; an empty description is stored.
 */
export async function editGroup(
  app: App,
  actor: Actor,
  { user_group_id, ...params }: ParamsOf<typeof api.userGroups.update>,
): Promise<object> {
  return changeGroups(app, actor, async (tx) => {
    if (!params.name && !params.description) throw new ApiError('USER_GROUP_NOTHING_TO_CHANGE')
    const group = await accessGroupToEdit(tx, actor, user_group_id)
    const name = params.name ? checkGroupName(params.name) : group.name
    const { description = group.description } = params
    if (name !== group.name) {
      await updateGroup(tx, group, { name })
      emit(tx, groupUpdated(group, { name }))
    }
    if (description !== group.description) {
      await updateGroup(tx, group, { description })
      emit(tx, groupUpdated(group, { description }))
    }
    return {}
  })
}
