import { ApiError, type api, BotType, isAdministrator, type ParamsOf } from '@oxbow/contract'
import { changeRolesAs } from '../identity/write-as.ts'
import { getOrganization } from '../organization/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { partPeriods } from '../streams/members/change-members.ts'
import { tellReturnToStreams } from '../streams/sight.ts'
import { accessUserToChange } from './access.ts'
import { emitUserAdded } from './emit-user-added.ts'
import { updateUserRow } from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'

/** The user comes back as they were; their bots stay deactivated until someone wants them. */
export async function reactivateUser(
  app: App,
  actor: Actor,
  given: ParamsOf<typeof api.users.reactivate>,
): Promise<object> {
  return changeRolesAs(app, actor, async (tx) => {
    const user = await accessUserToChange(tx, actor, given.user_id)
    if (user.bot_type !== null) {
      const { bot_creation_policy } = await getOrganization(tx, actor.organization_id)
      if (!mayCreateBot(actor, bot_creation_policy, user.bot_type))
        throw new ApiError('MUST_BE_ADMINISTRATOR')
    }
    if (user.is_active) return {}
    await updateUserRow(tx, user.organization_id, user.id, { is_active: true })
    const at = await changeRolePeriods(tx, user.organization_id, [user.id], user.role)
    await partPeriods(tx, { organization_id: user.organization_id, user_id: user.id })
    await emitUserAdded(app, tx, user, at)
    await tellReturnToStreams(tx, user)
    return {}
  })
}

/** 1: everyone; 2: generic bots by administrators only; 3: all bots by administrators only. */
function mayCreateBot(actor: Actor, policy: number, type: BotType): boolean {
  if (isAdministrator(actor.role)) return true
  return policy === 1 || (policy === 2 && type !== BotType.generic)
}
