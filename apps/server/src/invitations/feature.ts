import type { Feature } from '../feature.ts'
import { sealedColumn } from '../platform/reseal.ts'
import { deleteExpiredInvitations } from './delete-expired-invitations.ts'
import { mailInvitation } from './invitation-email.ts'
import { invitePages } from './invite-page.ts'
import { confirmPages } from './joining/confirm-pages.ts'
import { mailSignUp } from './joining/sign-up-email.ts'
import { signUpPages } from './joining/sign-up-pages.ts'
import { sealBindingOfInvitation, sealBindingOfSignUp } from './keys.ts'
import { invitationRoutes } from './routes.ts'

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
