import { ApiError, type api, type ParamsOf, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserGroupRow } from '../../platform/database/tables.ts'
import { accessAccounts, accessGroupToEdit } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { membersAdded, membersRemoved } from './events.ts'
import { refuseTooManyMembers } from './limits.ts'
import { deleteMembers, insertMembers } from './queries.ts'

/**
 * Adds and removes members. Changes either all of them or none. Runs a constant number of
 * statements.
 */
export async function changeMembers(
  app: App,
  actor: Actor,
  { user_group_id, add, delete: removed }: ParamsOf<typeof api.userGroups.changeMembers>,
): Promise<object> {
  const work = async (tx: Tx) => {
    if (add.length === 0 && removed.length === 0) throw new ApiError('NOTHING_TO_ADD_OR_DELETE')
    const group = await accessGroupToEdit(tx, actor, user_group_id)
    if (add.length > 0) await addMembers(tx, group, await accessAccounts(tx, actor, add))
    if (removed.length > 0) await removeMembers(tx, group, await accessAccounts(tx, actor, removed))
    if (add.length > removed.length) await refuseTooManyMembers(app, tx, actor)
    return {}
  }
  return changeGroups(app, actor, work, { takesRights: removed.length > 0 })
}

async function addMembers(tx: Tx, group: UserGroupRow, users: UserId[]): Promise<void> {
  const added = await insertMembers(tx, group, users)
  const present = users.find((id) => !added.has(id))
  if (present !== undefined) throw new ApiError('ALREADY_IN_USER_GROUP', { id: present })
  emit(tx, membersAdded(group, users))
}

async function removeMembers(tx: Tx, group: UserGroupRow, users: UserId[]): Promise<void> {
  const removed = await deleteMembers(tx, group, users)
  const absent = users.find((id) => !removed.has(id))
  if (absent !== undefined) throw new ApiError('NOT_IN_USER_GROUP', { id: absent })
  emit(tx, membersRemoved(group, users))
}
