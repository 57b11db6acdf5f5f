import type { InvitationId, OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import { job } from '../../platform/jobs.ts'
import { type Mail, sendMail } from '../../platform/mail.ts'
import { confirmUrl, ownerOfSignUp } from '../keys.ts'
import { oneLine } from '../letters.ts'
import { isOpenSignUp } from '../open.ts'

interface SignUp {
  email: string
  invitation_id: InvitationId | null
  key_sealed: Buffer
  origin: string
  organization: string
  has_account: boolean
}

/** To whoever wants to join. The job carries no key. */
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
      app.secrets.open(signUp.key_sealed, ownerOfSignUp({ ...signUp, organization_id })),
    )
    await sendMail(app, signUp.has_account ? letterToKnown(signUp) : letterToNew(signUp, link))
  },
})

function letterToNew({ email, organization }: SignUp, link: string): Mail {
  const name = oneLine(organization)
  return {
    to: email,
    subject: `Join ${name}`,
    text: `Someone, most likely you, asked to join ${name} with this address.\n\nTo go on, open\n\n  ${link}\n\nThe link works once, for a day. If it was not you, there is nothing to do.\n`,
  }
}

function letterToKnown({ email, organization, origin }: SignUp): Mail {
  const name = oneLine(organization)
  return {
    to: email,
    subject: `Your account at ${name}`,
    text: `Someone, most likely you, asked to join ${name} with this address, which has an account there already.\n\nSign in with it at ${origin}, or ask an administrator for help. If it was not you, there is nothing to do.\n`,
  }
}
