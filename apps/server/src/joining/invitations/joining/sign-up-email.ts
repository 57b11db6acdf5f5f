import type { InvitationId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import { job } from '../../../platform/jobs/jobs.ts'
import { type Mail, sendMail } from '../../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText } from '../../../platform/mail/mail-text.ts'
import { confirmUrl, sealBindingOfSignUp } from '../keys.ts'
import { isOpenSignUp } from '../open.ts'

interface SignUp {
  email: string
  invitation_id: InvitationId | null
  key_sealed: Buffer
  origin: string
  organization: string
  has_account: boolean
}

/** Mails a confirmation link to a person who signs up. The payload of the job contains no key. */
export const mailSignUp = job<{ organization_id: OrganizationId; id: number }>({
  name: 'mail_sign_up',
  async run(app, { organization_id, id }) {
    const { rows } = await sql<SignUp>`
      select sign_up.email, invitation_id, key_sealed, origin, organization.name as organization,
        exists (
          select from user_account u
          where u.organization_id = sign_up.organization_id and lower(u.delivery_email) = lower(sign_up.email)
        ) as has_account
      from sign_up join organization on organization.id = organization_id
      where sign_up.organization_id = ${organization_id} and sign_up.id = ${id}
        and ${isOpenSignUp('sign_up')}`.execute(app.db)
    const [signUp] = rows
    if (!signUp) return
    const link = confirmUrl(
      signUp.origin,
      app.secrets.open(signUp.key_sealed, sealBindingOfSignUp({ ...signUp, organization_id })),
    )
    await sendMail(
      app,
      signUp.has_account ? composeEmailToExistingUser(signUp) : composeEmailToNewUser(signUp, link),
    )
  },
})

function composeEmailToNewUser({ email, organization }: SignUp, link: string): Mail {
  return {
    to: email,
    subject: mailText`Join ${organization}`,
    text: joinParagraphs(
      mailText`Someone, probably you, asked to join ${organization} with this address.`,
      mailText`To continue, open this link:`,
      mailText`  ${linkable(link)}`,
      mailText`The link works once and is valid for one day. If it was not you, ignore this e-mail.`,
    ),
  }
}

function composeEmailToExistingUser({ email, organization, origin }: SignUp): Mail {
  return {
    to: email,
    subject: mailText`Your account at ${organization}`,
    text: joinParagraphs(
      mailText`Someone, probably you, asked to join ${organization} with this address. The address already has an account there.`,
      mailText`Sign in at ${linkable(origin)}, or ask an administrator for help. If it was not you, ignore this e-mail.`,
    ),
  }
}
