import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { accessAccounts, accessGroupToEdit } from './access.ts'
import { changeGroups } from './change-groups.ts'
import { viewGroupOf27 } from './event-shape.ts'
import { groupAdded, groupRemoved, groupUpdated } from './events.ts'
import { refuseTooManyGroups, refuseTooManyMembers } from './limits.ts'
import {
  deleteGroup,
  findStreamOfGroup,
  insertGroup,
  insertMembers,
  listGroups,
  updateUserGroup,
} from './queries.ts'
import { listSystemGroups } from './system-groups.ts'

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
      await updateUserGroup(tx, group, { name })
      emit(tx, groupUpdated(group, { name }))
    }
    if (description !== group.description) {
      await updateUserGroup(tx, group, { description })
      emit(tx, groupUpdated(group, { description }))
    }
    return {}
  })
}

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
    if (members.length > 0) await refuseTooManyMembers(app, tx, actor)
    emit(tx, groupAdded(group, members))
    return { id: group.id }
  })
}

export async function listUserGroups(
  { db }: App,
  { organization_id, generation }: Actor,
): Promise<ResponseOf<typeof api.userGroups.list>> {
  const groups = await listGroups(db, organization_id)
  if (generation === 27) return { user_groups: groups.map(viewGroupOf27) }
  return { user_groups: [...groups, ...(await listSystemGroups(db, organization_id))] }
}

/** Checks a group's name. Case and spaces are significant, as in mentions. */
function checkGroupName(name: string): string {
  if (name.trim() === '') throw new ApiError('USER_GROUP_NAME_EMPTY')
  if (name.startsWith('role:')) throw new ApiError('USER_GROUP_NAME_RESERVED')
  return name
}

/** Deletes a group. Messages that mention it do not change. */
export async function removeGroup(
  app: App,
  actor: Actor,
  { user_group_id }: ParamsOf<typeof api.userGroups.remove>,
): Promise<object> {
  const work = async (tx: Tx) => {
    const group = await accessGroupToEdit(tx, actor, user_group_id)
    const stream = await findStreamOfGroup(tx, group)
    if (stream !== undefined) throw new ApiError('USER_GROUP_IN_USE', { stream })
    await deleteGroup(tx, group)
    emit(tx, groupRemoved(group))
    return {}
  }
  return changeGroups(app, actor, work, { takesRights: true })
}
