import type { InvitationId, OrganizationId, Role, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { job } from '../../platform/jobs/jobs.ts'
import { sendMail } from '../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText } from '../../platform/mail/mail-text.ts'
import { confirmUrl, sealBindingOfInvitation } from './keys.ts'
import { invitationDays, isOpenInvitation } from './open.ts'

interface InvitationEmail {
  email: string
  invited_by: UserId
  role: Role
  key_sealed: Buffer
  origin: string
  organization: string
  inviter: string
  has_account: boolean
}

/**
 * Mails an invitation. The payload of the job contains no key, so that read access to the database
 * reveals no link.
 */
export const mailInvitation = job<{ organization_id: OrganizationId; id: InvitationId }>({
  name: 'mail_invitation',
  async run(app, { organization_id, id }) {
    const { rows } = await sql<InvitationEmail>`
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
    const [invitation] = rows
    // The invitation was revoked or accepted before the job ran.
    if (!invitation) return
    const { email: to, organization, inviter } = invitation
    const subject = mailText`${inviter} invites you to ${organization}`
    // The inviter may not learn that the address has an account. An e-mail explains it to the owner
    // of the address.
    if (invitation.has_account) {
      const text = joinParagraphs(
        mailText`${inviter} invites you to join ${organization}. Your address already has an account there.`,
        mailText`Sign in at ${linkable(invitation.origin)}, or ask an administrator for help.`,
      )
      await sendMail(app, { to, subject, text })
      return
    }
    const link = confirmUrl(
      invitation.origin,
      app.secrets.open(invitation.key_sealed, sealBindingOfInvitation({ ...invitation, organization_id })),
    )
    const text = joinParagraphs(
      mailText`${inviter} invites you to join the chat of ${organization}.`,
      mailText`To accept, open this link:`,
      mailText`  ${linkable(link)}`,
      mailText`The link works once and is valid for ${invitationDays} days. If you do not want to join, ignore this e-mail.`,
    )
    await sendMail(app, { to, subject, text })
  },
})
