import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { changeRolesAs } from '../../identity/write-as.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { emitReturnToStreams } from '../../streams/emit-streams-for-role.ts'
import { splitPeriodsByAbsence } from '../../streams/members/change-members.ts'
import { accessUserToChange } from './access.ts'
import { refuseUnlessMayCreate } from './bots/creation-policy.ts'
import { botAdded } from './bots/events.ts'
import { getBot } from './bots/queries.ts'
import { limitByOwner } from './bots/role-limit.ts'
import { emitUserAdded } from './emit-user-added.ts'
import { findUser, updateUserRow } from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'
import { setRole } from './set-role.ts'

/** Reactivates a user, who has all former data again. Their bots stay deactivated. */
export async function reactivateUser(
  app: App,
  actor: Actor,
  params: ParamsOf<typeof api.users.reactivate>,
): Promise<object> {
  return changeRolesAs(app, actor, async (tx) => {
    let user = await accessUserToChange(tx, actor, params.user_id)
    const { organization_id, id: user_id, bot_type } = user
    if (bot_type !== null) refuseUnlessMayCreate(actor, await getOrganization(tx, organization_id), bot_type)
    if (user.is_active) return {}
    if (user.erased_at) throw new ApiError('USER_IS_ERASED')
    await refuseWithoutActiveOwner(tx, user)
    const role = await limitByOwner(tx, user, user.role)
    if (role !== user.role) await setRole(app, tx, user, role)
    user = { ...user, role }
    await updateUserRow(tx, organization_id, user_id, { is_active: true })
    const at = await changeRolePeriods(tx, organization_id, [user_id], role)
    await splitPeriodsByAbsence(tx, { organization_id, user_id })
    await emitUserAdded(app, tx, user, at)
    if (bot_type !== null) {
      const bot = await getBot(tx, { organization_id, user_id })
      for (const emission of botAdded(app, bot)) emit(tx, emission)
    }
    await emitReturnToStreams(tx, user)
    return {}
  })
}

/**
 * Throws if the owner of the bot is deactivated: the bot would have no responsible person, and its
 * former owner may still have its key.
 */
async function refuseWithoutActiveOwner(tx: Tx, { organization_id, bot_owner_id }: UserRow): Promise<void> {
  const owner = bot_owner_id === null ? undefined : await findUser(tx, organization_id, bot_owner_id)
  if (owner && !owner.is_active) throw new ApiError('BOT_OWNER_DEACTIVATED')
}
