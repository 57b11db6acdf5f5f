import { isAdministrator, type OrganizationId } from '@oxbow/contract'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { findEmailRuleViolation } from '../../organization/email-rules.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import type { OrganizationRow, UserRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import { canSendMail, sendMail } from '../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText } from '../../platform/mail/mail-text.ts'
import { isRecentChange } from './email-changes.ts'
import { endLinks } from './end-links.ts'
import { emailChanged } from './events.ts'
import { findUser, lockUser, updateUserRow } from './queries.ts'

export interface Confirmation {
  key: string
  /** Subdomain of the host at which the link was opened. */
  subdomain: string | null
}

/**
 * Changes the address and returns the new one. Returns undefined if the link is unknown, expired or
 * used, or if the change is no longer allowed.
 */
export async function confirmEmailChange(app: App, confirmation: Confirmation): Promise<string | undefined> {
  try {
    return await inTransaction(app.db, (tx) => confirm(app, tx, confirmation))
  } catch (error) {
    // Another account has taken the address.
    if (violatedConstraint(error) === 'user_account_email_key') return undefined
    throw error
  }
}

export interface OpenEmailChange {
  organization: OrganizationRow
  user: UserRow
  new_email: string
}

/**
 * Finds the e-mail change of a link. Repeats all checks of the original request, which may be a day
 * old. Returns undefined if the link is not valid.
 */
export async function findEmailChange(
  app: App,
  db: Db,
  { key, subdomain }: Confirmation,
): Promise<OpenEmailChange | undefined> {
  const found = await selectOpenChange(app, db, key).executeTakeFirst()
  if (!found) return undefined
  const { organization_id, user_id, new_email } = found
  const organization = await getOrganization(db, organization_id)
  const user = await findUser(db, organization_id, user_id)
  if (!user?.is_active || organization.deactivated_at || organization.subdomain !== subdomain)
    return undefined
  if (organization.email_changes_disabled && !isAdministrator(user.role)) return undefined
  if (await findEmailRuleViolation(db, organization, new_email)) return undefined
  return { organization, user, new_email }
}

const selectOpenChange = ({ secrets }: App, db: Db, key: string) =>
  db
    .selectFrom('email_change')
    .select(['organization_id', 'user_id', 'new_email'])
    .where('key_hash', '=', secrets.hash(key))
    .where('ended_at', 'is', null)
    .where(isRecentChange)

async function confirm(app: App, tx: Tx, confirmation: Confirmation): Promise<string | undefined> {
  const open = selectOpenChange(app, tx, confirmation.key)
  const found = await open.executeTakeFirst()
  if (!found) return undefined
  const { organization_id, user_id } = found
  // Lock order: roles, account, e-mail change. The checks run after all three are locked.
  await lockRoles(tx, organization_id, 'shared')
  await lockUser(tx, organization_id, user_id)
  await open.forUpdate().executeTakeFirst()
  const change = await findEmailChange(app, tx, confirmation)
  if (!change) return undefined
  const { organization, user, new_email } = change

  await updateUserRow(tx, organization_id, user_id, { delivery_email: new_email })
  await endLinks(tx, user)
  const { email_address_visibility } = organization
  const shown = { ...user, delivery_email: new_email, email_address_visibility, profile_values: null }
  await emitAbout(tx, shown, emailChanged(app, shown))
  const notice = { organization_id, to: user.delivery_email, new_email, organization: organization.name }
  if (canSendMail(app)) await enqueue(tx, mailEmailChanged, notice)
  return new_email
}

interface ChangeNotice {
  /** Lets an erasure and a deletion find the job. */
  organization_id: OrganizationId
  to: string
  new_email: string
  organization: string
}

/** Notifies the previous address, because its owner may not know of the change. */
export const mailEmailChanged = job<ChangeNotice>({
  name: 'mail_email_changed',
  async run(app, { to, new_email, organization }) {
    await sendMail(app, {
      to,
      subject: mailText`Your address for ${organization} was changed`,
      text: joinParagraphs(
        mailText`Your account at ${organization} now uses the address ${linkable(new_email)}.`,
        mailText`If you did not change it, ask an administrator of ${organization} for help.`,
      ),
    })
  },
})
