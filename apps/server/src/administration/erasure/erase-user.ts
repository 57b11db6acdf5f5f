import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { changeRolesAs, recheckActor } from '../../identity/write-as.ts'
import { isLastOwner } from '../../people/users/access.ts'
import { lockUser } from '../../people/users/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { beginErasure } from './begin-erasure.ts'

/**
 * Erases a person of the actor's organization, who may be an owner. Only owners can call the
 * endpoint.
 */
export async function eraseUser(
  app: App,
  actor: Actor,
  { user_id, delete_messages }: ParamsOf<typeof api.users.erase>,
): Promise<object> {
  return changeRolesAs(app, actor, async (tx) => {
    const user = await lockUser(tx, actor.organization_id, user_id)
    await recheckActor(tx, actor)
    if (!user || user.bot_type !== null) throw new ApiError('NO_SUCH_USER')
    if (await isLastOwner(tx, user)) throw new ApiError('LAST_OWNER_ERASURE')
    await beginErasure(app, tx, user, { deletesMessages: delete_messages })
    return {}
  })
}
