import { ApiError, type api, type ParamsOf, type UserGroupId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserGroupRow } from '../../platform/database/tables.ts'
import { accessGroups, accessGroupToEdit } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { subgroupsAdded, subgroupsRemoved } from './events.ts'
import { refuseTooManySubgroups } from './limits.ts'
import { deleteSubgroups, insertSubgroups, isInCircle } from './queries.ts'

/**
 * Adds and removes sub-groups. Changes either all of them or none. Holds the role lock exclusively: no
 * stream gives a right to one of the groups meanwhile, and no two requests make a circle together.
 */
export async function changeSubgroups(
  app: App,
  actor: Actor,
  { user_group_id, add, delete: removed }: ParamsOf<typeof api.userGroups.changeSubgroups>,
): Promise<object> {
  const work = async (tx: Tx) => {
    if (add.length === 0 && removed.length === 0) throw new ApiError('NOTHING_TO_ADD_OR_DELETE')
    const group = await accessGroupToEdit(tx, actor, user_group_id)
    if (add.length > 0) await addSubgroups(tx, group, await accessGroups(tx, actor, add))
    if (removed.length > 0) await removeSubgroups(tx, group, await accessGroups(tx, actor, removed))
    await refuseTooManySubgroups(tx, actor)
    return {}
  }
  return changeGroups(app, actor, work, { takesRights: true })
}

async function addSubgroups(tx: Tx, group: UserGroupRow, ids: UserGroupId[]): Promise<void> {
  const added = await insertSubgroups(tx, group, ids)
  const present = ids.find((id) => !added.has(id))
  if (present !== undefined) throw new ApiError('ALREADY_SUBGROUP', { id: present })
  if (await isInCircle(tx, group)) throw new ApiError('USER_GROUP_CIRCLE')
  emit(tx, subgroupsAdded(group, ids))
}

async function removeSubgroups(tx: Tx, group: UserGroupRow, ids: UserGroupId[]): Promise<void> {
  const removed = await deleteSubgroups(tx, group, ids)
  const absent = ids.find((id) => !removed.has(id))
  if (absent !== undefined) throw new ApiError('NOT_SUBGROUP', { id: absent })
  emit(tx, subgroupsRemoved(group, ids))
}
