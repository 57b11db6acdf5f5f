import type { OrganizationId } from '@oxbow/contract'
import { type Language, type Translate, translateTo } from '@oxbow/texts'
import { getOrganization } from '../../organization/queries.ts'
import { lockUser } from '../../people/users/queries.ts'
import type { App } from '../../platform/app.ts'
import type { PasswordResetRow, UserRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { type Mail, sendMail } from '../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText, translateMail } from '../../platform/mail/mail-text.ts'
import { findAccountByEmail } from '../../sign-in/queries.ts'
import { findResetRefusal } from './find-target.ts'
import { resetUrl, sealBindingOfReset } from './keys.ts'
import { assignReset, countEmailsToAccount, findOpenReset, lockOpenReset } from './queries.ts'

/** Limit per day, in addition to the limit per address and hour. */
const maxEmailsPerAccount = 10

/**
 * Mails the link to set a new password if the address belongs to a person's account. Other
 * addresses get no e-mail. The payload of the job contains no key.
 */
export const mailPasswordReset = job<{ organization_id: OrganizationId; id: number; language: Language }>({
  name: 'mail_password_reset',
  async run(app, { organization_id, id, language }) {
    const reset = await findOpenReset(app.db, organization_id, id)
    if (!reset) return
    const organization = await getOrganization(app.db, organization_id)
    if (findResetRefusal(organization)) return
    const { name } = organization
    const t = translateTo(language)
    const user = await assignAccount(app, reset)
    if (!user) return
    const link = resetUrl(reset.origin, app.secrets.open(reset.key_sealed, sealBindingOfReset(reset)))
    await sendMail(
      app,
      user.is_active ? composeResetEmail(t, user, name, link) : composeRefusal(t, user, name),
    )
  },
})

/**
 * Assigns the link to the account with its address, and returns the account. Returns undefined if
 * there is no account, if it got too many e-mails, or if the link of a later request was mailed
 * already. Invalidates earlier links only here, after the limit was checked, so that the person
 * always has a valid link.
 */
async function assignAccount(app: App, reset: PasswordResetRow): Promise<UserRow | undefined> {
  const { organization_id, id } = reset
  const found = await findAccountByEmail(app.db, organization_id, reset.email)
  if (!found) return undefined
  const { user_id } = found
  return inTransaction(app.db, async (tx) => {
    const user = await lockUser(tx, organization_id, user_id)
    if (!(await lockOpenReset(tx, reset))) return undefined
    const emails = await countEmailsToAccount(tx, { organization_id, user_id, except: id })
    if (emails >= maxEmailsPerAccount) {
      app.log.warn({ user_id }, 'mailed no link for a forgotten password: the account got too many in a day')
      return undefined
    }
    return (await assignReset(tx, reset, user_id)) ? user : undefined
  })
}

function composeResetEmail(
  t: Translate,
  { delivery_email: to }: UserRow,
  organization: string,
  link: string,
): Mail {
  return {
    to,
    subject: translateMail(t, 'reset.email_subject', { organization }),
    text: joinParagraphs(
      translateMail(t, 'reset.email_text', { organization }),
      translateMail(t, 'reset.email_link'),
      mailText`  ${linkable(link)}`,
      translateMail(t, 'reset.email_ignore'),
    ),
  }
}

function composeRefusal(t: Translate, { delivery_email: to }: UserRow, organization: string): Mail {
  return {
    to,
    subject: translateMail(t, 'reset.email_deactivated_subject', { organization }),
    text: joinParagraphs(
      translateMail(t, 'reset.email_text', { organization }),
      translateMail(t, 'reset.email_deactivated', { organization }),
    ),
  }
}

interface ChangeNotice {
  /** Lets an erasure and a deletion find the job. */
  organization_id: OrganizationId
  to: string
  organization: string
  language: Language
}

/**
 * Informs the owner of an account that a link was used, in case the user was another person with
 * access to the mailbox.
 */
export const mailPasswordChanged = job<ChangeNotice>({
  name: 'mail_password_changed',
  async run(app, { to, language, organization }) {
    const t = translateTo(language)
    await sendMail(app, {
      to,
      subject: translateMail(t, 'reset.email_changed_subject', { organization }),
      text: joinParagraphs(
        translateMail(t, 'reset.email_changed', { organization }),
        translateMail(t, 'reset.email_changed_help', { organization }),
      ),
    })
  },
})
