import { ApiError, type api, type FieldValue, isAdministrator, type ParamsOf, Role } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { changeRolesAs, writeAs } from '../../identity/write-as.ts'
import { lockOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { accessUserToChange, findUserToChange, isLastOwner } from './access.ts'
import { botChanged } from './bots/events.ts'
import { isAboveOwner } from './bots/role-limit.ts'
import { userRenamed } from './events.ts'
import { checkFullName } from './full-name.ts'
import { changeProfileValues } from './profile-values.ts'
import { isNameOfAccount, updateUserRow } from './queries.ts'
import { renderProfileValues } from './render-profile-values.ts'
import { setRole } from './set-role.ts'

type Params = ParamsOf<typeof api.users.update>

export async function updateUser(app: App, actor: Actor, params: Params): Promise<object> {
  if (params.password !== undefined) throw new ApiError('PASSWORD_NOT_ADMINISTERED')
  const rendered = params.profile_data && (await renderValues(app, actor, params.profile_data, params))
  const write = params.role === undefined ? writeAs : changeRolesAs
  return write(app, actor, async (tx) => {
    const user = await accessUserToChange(tx, actor, params.user_id)
    if (params.role !== undefined && params.role !== user.role)
      await changeRole(app, tx, actor, user, params.role)
    if (params.full_name !== undefined) await changeFullName(tx, user, params.full_name)
    if (params.profile_data && rendered)
      await changeProfileValues(tx, user, actor, params.profile_data, rendered)
    return {}
  })
}

/**
 * Renders profile values before locks are taken, because it is slow, and only for an actor who may make the
 * change. The rights are checked again under the locks.
 */
async function renderValues(app: App, actor: Actor, values: FieldValue[], { user_id, role }: Params) {
  const user = await findUserToChange(app.db, actor, user_id)
  if (role !== undefined && role !== user.role) await checkRoleChange(app.db, actor, user, role)
  return renderProfileValues(app, actor.organization_id, values)
}

async function changeRole(app: App, tx: Tx, actor: Actor, user: UserRow, role: Role): Promise<void> {
  await checkRoleChange(tx, actor, user, role)
  await setRole(app, tx, user, role)
}

async function checkRoleChange(db: Db, actor: Actor, user: UserRow, role: Role): Promise<void> {
  const concernsOwners = role === Role.owner || user.role === Role.owner
  if (concernsOwners && actor.role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
  if (await isLastOwner(db, user)) throw new ApiError('LAST_OWNER_ROLE')
  if (user.role === Role.guest && isAdministrator(role)) throw new ApiError('GUEST_CANNOT_ADMINISTER')
  if (await isAboveOwner(db, user, role)) throw new ApiError('BOT_ROLE_ABOVE_OWNER')
}

/** Renames a user and returns the new name; undefined if the given name is blank or unchanged. */
export async function changeFullName(tx: Tx, user: UserRow, name: string): Promise<string | undefined> {
  if (name.trim() === '' || name.trim() === user.full_name) return undefined
  const full_name = checkFullName(name)
  const { organization_id, id } = user
  // People may share a name, but a bot with the name of a user could impersonate that user.
  if (user.bot_type !== null) {
    // Serializes renames of bots, so that the second of two concurrent requests finds the name
    // taken.
    await lockOrganization(tx, organization_id)
    if (await isNameOfAccount(tx, organization_id, full_name, id)) throw new ApiError('NAME_IN_USE')
  }
  await updateUserRow(tx, organization_id, id, { full_name })
  await emitAbout(tx, user, [userRenamed(user, full_name)])
  if (user.bot_type !== null) emit(tx, botChanged(user, { full_name }))
  return full_name
}
