import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { deleteQueues } from '../../events/queue-rows.ts'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { endSessions } from '../../identity/sessions.ts'
import { changeRolesAs } from '../../identity/write-as.ts'
import { emitSystemGroups } from '../../organization/user-groups/system-groups.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { deleteStatuses } from '../user-status/queries.ts'
import { accessOwnUser, accessPersonToDeactivate, isLastOwner } from './access.ts'
import { botDeactivated } from './bots/events.ts'
import { endLinks } from './end-links.ts'
import { userDeactivated } from './events.ts'
import { isOnlyActiveAccount, listActiveBotsOf, updateUserRow } from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'

export async function deactivateUser(
  app: App,
  actor: Actor,
  params: ParamsOf<typeof api.users.deactivate>,
): Promise<object> {
  return changeRolesAs(app, actor, async (tx) => {
    const user = await accessPersonToDeactivate(tx, actor, params.user_id)
    if (await isLastOwner(tx, user)) throw new ApiError('LAST_OWNER_DEACTIVATION')
    await deactivate(tx, user)
    return {}
  })
}

export async function deactivateOwnUser(app: App, actor: Actor): Promise<object> {
  return changeRolesAs(app, actor, async (tx) => {
    const user = await accessOwnUser(tx, actor)
    if (await isLastOwner(tx, user)) {
      throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: true, entity: 'organization owner' })
    }
    if (await isOnlyActiveAccount(tx, user.organization_id, user.id)) {
      throw new ApiError('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: false, entity: 'user' })
    }
    await deactivate(tx, user)
    return {}
  })
}

/**
 * Deactivates a user and their bots, which need an active owner. The role lock must be held
 * exclusively.
 */
export async function deactivate(tx: Tx, user: UserRow): Promise<void> {
  const { organization_id, id } = user
  const ended = [user, ...(await listActiveBotsOf(tx, organization_id, id))]
  for (const account of ended) await updateUserRow(tx, organization_id, account.id, { is_active: false })
  const ids = ended.map((account) => account.id)
  const at = await changeRolePeriods(tx, organization_id, ids, 'deactivated')
  for (const account of ended) {
    await emitAbout(tx, account, [userDeactivated(account, at)])
    if (account.bot_type !== null) emit(tx, botDeactivated(account))
  }
  const left = ended.map((account) => ({ id: account.id, before: account.role, after: null }))
  await emitSystemGroups(tx, organization_id, left)
  await deleteQueues(tx, organization_id, ids)
  await endLinks(tx, user)
  await endSessions(tx, { organization_id, user_id: id })
  await deleteStatuses(tx, organization_id, ids)
}
