import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { createLink } from './create-link.ts'
import { invitePeople } from './invite-people.ts'
import { listOpenInvitations } from './list-invitations.ts'
import { resendInvitation } from './resend-invitation.ts'
import { revokeInvitation, revokeLink } from './revoke-invitation.ts'

export const invitationRoutes: Routes<typeof api.invitations> = {
  list: listOpenInvitations,
  send: invitePeople,
  revoke: revokeInvitation,
  resend: resendInvitation,
  createLink,
  revokeLink,
}
