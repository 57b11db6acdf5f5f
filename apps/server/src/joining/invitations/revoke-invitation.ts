import type { api, ParamsOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { accessInvitation, accessLink } from './access.ts'
import { changeInvitations, emitInvitesChanged } from './change-invitations.ts'
import { endInvitation } from './queries.ts'

type RevokeParams = ParamsOf<typeof api.invitations.revoke>

export function revokeInvitation(app: App, actor: Actor, { invite_id }: RevokeParams): Promise<object> {
  return revoke(app, actor, invite_id, accessInvitation)
}

export function revokeLink(app: App, actor: Actor, { invite_id }: RevokeParams): Promise<object> {
  return revoke(app, actor, invite_id, accessLink)
}

/**
 * Revokes an invitation. Accepting an invitation takes the role lock exclusively, so it either
 * completes before this change or finds the invitation revoked.
 */
function revoke(
  app: App,
  actor: Actor,
  id: RevokeParams['invite_id'],
  access: typeof accessInvitation,
): Promise<object> {
  return changeInvitations(app, actor, async (tx) => {
    await endInvitation(tx, await access(tx, actor, id))
    emitInvitesChanged(tx, actor.organization_id)
    return {}
  })
}
