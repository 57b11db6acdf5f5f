import { type api, isAdministrator, type ResponseOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { listInvitations } from './queries.ts'
import { maySeeLink, viewInvitation } from './views.ts'

export async function listOpenInvitations(
  app: App,
  actor: Actor,
): Promise<ResponseOf<typeof api.invitations.list>> {
  const isForAll = isAdministrator(actor.role)
  const found = await listInvitations(app.db, actor.organization_id, isForAll ? undefined : actor.user_id)
  // An account that may not see the URL of an invitation link does not see the invitation at all.
  const visibleInvitations = found.filter(
    (invitation) => invitation.email !== null || (isForAll && maySeeLink(actor, invitation)),
  )
  return { invites: visibleInvitations.map((invitation) => viewInvitation(app, actor, invitation)) }
}
