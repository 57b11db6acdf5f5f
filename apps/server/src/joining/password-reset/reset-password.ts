import type { Language } from '@oxbow/texts'
import { endSessions } from '../../identity/sessions.ts'
import { getOrganization } from '../../organization/queries.ts'
import { endLinks } from '../../people/users/end-links.ts'
import { findUser, lockUser, updateUserRow } from '../../people/users/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { canSendMail } from '../../platform/mail/mail.ts'
import { isStrongPassword } from '../../sign-in/password-strength.ts'
import { deleteFailures } from '../../sign-in/sign-in-attempts.ts'
import { findResetRefusal } from './find-target.ts'
import { findOpenResetByKey, lockOpenReset } from './queries.ts'
import { mailPasswordChanged } from './reset-email.ts'

export interface PresentedKey {
  key: string
  /** Subdomain of the host at which the link was opened. */
  subdomain: string | null
}

export interface NewPassword {
  password: string
  /** The language of the notice by e-mail. */
  language: Language
}

/** The account for which a link is valid. */
export interface OpenReset {
  organization: OrganizationRow
  email: string
}

/**
 * Finds the account of a link. Returns undefined if the link is unknown, used, replaced or expired,
 * or if the organization no longer allows password resets.
 */
export async function findResetByKey(
  app: App,
  db: Db,
  { key, subdomain }: PresentedKey,
): Promise<OpenReset | undefined> {
  const reset = await findOpenResetByKey(db, app.secrets.hash(key))
  if (!reset) return undefined
  const organization = await getOrganization(db, reset.organization_id)
  if (organization.subdomain !== subdomain || findResetRefusal(organization)) return undefined
  const user = await findUser(db, reset.organization_id, reset.user_id)
  return user?.is_active ? { organization, email: user.delivery_email } : undefined
}

/**
 * Sets the password of the account that the link is for, and ends its sessions and links. Does not
 * change the API key. Checks and hashes the password only for a valid link, because both are slow.
 */
export async function resetPassword(
  app: App,
  presented: PresentedKey,
  { password, language }: NewPassword,
): Promise<'done' | 'gone' | 'weak'> {
  if (!(await findResetByKey(app, app.db, presented))) return 'gone'
  if (!(await isStrongPassword(app, password))) return 'weak'
  const password_hash = await app.passwords.hash(password)
  return inTransaction(app.db, async (tx) => {
    const reset = await findOpenResetByKey(tx, app.secrets.hash(presented.key))
    if (!reset) return 'gone'
    const { organization_id, user_id } = reset
    // Lock order: account, link. The checks are repeated after both are locked.
    const user = await lockUser(tx, organization_id, user_id)
    if (!user || !(await lockOpenReset(tx, reset))) return 'gone'
    const open = await findResetByKey(app, tx, presented)
    if (!open) return 'gone'

    await updateUserRow(tx, organization_id, user_id, { password_hash })
    await endLinks(tx, user)
    await endSessions(tx, { organization_id, user_id })
    await deleteFailures(tx, organization_id, user.delivery_email)
    const notice = {
      organization_id,
      to: user.delivery_email,
      organization: open.organization.name,
      language,
    }
    if (canSendMail(app)) await enqueue(tx, mailPasswordChanged, notice)
    return 'done'
  })
}
