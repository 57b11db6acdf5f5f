import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { sealedColumn } from '../../platform/secrets/reseal.ts'
import { createLink } from './create-link.ts'
import { deleteExpiredInvitations } from './delete-expired-invitations.ts'
import { mailInvitation } from './invitation-email.ts'
import { invitePages } from './invite-page.ts'
import { invitePeople } from './invite-people.ts'
import { confirmPages } from './joining/confirm-pages.ts'
import { mailSignUp } from './joining/sign-up-email.ts'
import { signUpPages } from './joining/sign-up-pages.ts'
import { sealBindingOfInvitation, sealBindingOfSignUp } from './keys.ts'
import { listOpenInvitations } from './list-invitations.ts'
import { resendInvitation } from './resend-invitation.ts'
import { revokeInvitation, revokeLink } from './revoke-invitation.ts'

const invitationRoutes: Routes<typeof api.invitations> = {
  list: listOpenInvitations,
  send: invitePeople,
  revoke: revokeInvitation,
  resend: resendInvitation,
  createLink,
  revokeLink,
}

/** Inviting users, and the sign-up pages. */
export const invitationsFeature = {
  routes: { invitations: invitationRoutes },
  pages: (app) => [...signUpPages(app), ...invitePages(app), ...confirmPages(app)],
  jobs: [mailInvitation, mailSignUp, deleteExpiredInvitations],
  seals: [
    sealedColumn({
      table: 'invitation',
      id: 'id',
      column: 'key_sealed',
      boundColumns: ['invited_by', 'role', 'email'],
      binding: sealBindingOfInvitation,
    }),
    sealedColumn({
      table: 'sign_up',
      id: 'id',
      column: 'key_sealed',
      boundColumns: ['email', 'invitation_id'],
      binding: sealBindingOfSignUp,
    }),
  ],
} satisfies Feature
