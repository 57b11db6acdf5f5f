import type { InvitationId, OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { job } from '../platform/jobs.ts'
import { sendMail } from '../platform/mail.ts'
import { confirmUrl, ownerOfInvitation } from './keys.ts'
import { invitationDays, isOpenInvitation } from './open.ts'

interface Letter {
  email: string
  invited_by: UserId
  role: Role
  key_sealed: Buffer
  origin: string
  organization: string
  inviter: string
  has_account: boolean
}

/** The job carries no key: whoever reads the database must not be able to open the link. */
export const mailInvitation = job<{ organization_id: OrganizationId; id: InvitationId }>({
  name: 'mail_invitation',
  async run(app, { organization_id, id }) {
    const { rows } = await sql<Letter>`
      select invitation.email, invited_by, invitation.role, key_sealed, origin, organization.name as organization, u.full_name as inviter,
        exists (
          select from user_account holder
          where holder.organization_id = invitation.organization_id
            and lower(holder.delivery_email) = lower(invitation.email)) as has_account
      from invitation
      join organization on organization.id = organization_id
      join user_account u on u.organization_id = invitation.organization_id and u.id = invited_by
      where invitation.organization_id = ${organization_id} and invitation.id = ${id}
        and ${isOpenInvitation('invitation')}`.execute(app.db)
    const [letter] = rows
    // Taken back or accepted meanwhile.
    if (!letter) return
    const name = oneLine(letter.organization)
    const inviter = oneLine(letter.inviter)
    // The person who sent it may not know whether there is an account, but its owner does.
    if (letter.has_account) {
      await sendMail(app, {
        to: letter.email,
        subject: `${inviter} invites you to ${name}`,
        text: `${inviter} invites you to join ${name}, where this address has an account already.\n\nSign in with it at ${letter.origin}, or ask an administrator for help.\n`,
      })
      return
    }
    const link = confirmUrl(
      letter.origin,
      app.secrets.open(letter.key_sealed, ownerOfInvitation({ ...letter, organization_id })),
    )
    await sendMail(app, {
      to: letter.email,
      subject: `${inviter} invites you to ${name}`,
      text: `${inviter} invites you to join ${name}, where a team talks.\n\nTo accept, open\n\n  ${link}\n\nThe link works once, for ${invitationDays} days. If you do not want to join, there is nothing to do.\n`,
    })
  },
})

/** Names may hold anything, and a subject is one line. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ')
