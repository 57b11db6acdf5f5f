import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { writeAs } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { accessOwnUser, accessPersonToDeactivate, isLastOwner, lockRoles } from './access.ts'
import { endEmailChanges } from './email-changes.ts'
import { isOnlyActiveAccount, listActiveBotsOf, updateUserRow } from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'

export async function deactivateUser(
  app: App,
  actor: Actor,
  given: ParamsOf<typeof api.users.deactivate>,
): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockRoles(tx, actor)
    const user = await accessPersonToDeactivate(tx, actor, given.user_id)
    if (await isLastOwner(tx, user)) throw new ApiError('LAST_OWNER_DEACTIVATION')
    await deactivate(tx, user)
    return {}
  })
}

export async function deactivateOwnUser(app: App, actor: Actor): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockRoles(tx, actor)
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

/** Bots do not outlive their owner's account: nobody would answer for them. */
async function deactivate(tx: Tx, user: UserRow): Promise<void> {
  const { organization_id, id } = user
  const ended = [id, ...(await listActiveBotsOf(tx, organization_id, id))]
  for (const each of ended) await updateUserRow(tx, organization_id, each, { is_active: false })
  await changeRolePeriods(tx, organization_id, ended, 'deactivated')
  await endEmailChanges(tx, user)
}
