import { type api, type Invitation, isAdministrator, type ResponseOf, Role } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InvitationRow } from '../../platform/database/tables.ts'
import { canSendMail } from '../../platform/mail/mail.ts'
import { confirmUrl, joinUrl, sealBindingOfInvitation } from './keys.ts'
import { listInvitations } from './queries.ts'

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

function viewInvitation(app: App, actor: Actor, invitation: InvitationRow): Invitation {
  const { id, invited_by, invited_at, role, email } = invitation
  const shown = {
    id,
    invited_by_user_id: invited_by,
    invited: Math.floor(invited_at.getTime() / 1_000),
    invited_as: role,
    is_multiuse: email === null,
  }
  const key = () => app.secrets.open(invitation.key_sealed, sealBindingOfInvitation(invitation))
  if (email === null) return { ...shown, link_url: joinUrl(actor.origin, key()) }
  // A server without e-mail shows the link to the inviter, who has to forward it.
  const isShown = !canSendMail(app) && maySeeLink(actor, invitation)
  return { ...shown, email, ...(isShown && { link_url: confirmUrl(actor.origin, key()) }) }
}

/**
 * Returns whether the actor may see the link. Anyone with the link can use it, so only accounts
 * that could have created it see it.
 */
function maySeeLink({ role }: Actor, invitation: Pick<InvitationRow, 'role'>): boolean {
  return invitation.role !== Role.owner || role === Role.owner
}
