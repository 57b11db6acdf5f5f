import { ApiError, isAdministrator } from '@oxbow/contract'
import { sql } from 'kysely'
import { writeAs } from '../identity/write-as.ts'
import { isEmailAddress, normalizeEmail } from '../organization/email-address.ts'
import { findEmailObjection } from '../organization/email-rules.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { brokenConstraint } from '../platform/database/constraint.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { enqueue, job } from '../platform/jobs.ts'
import { canSendMail, sendMail } from '../platform/mail.ts'
import { randomAlphanumerics } from '../platform/secrets.ts'
import { findUserByDeliveryEmail, updateUserRow } from './queries.ts'

const objections = {
  outside: 'NEW_EMAIL_OUTSIDE_DOMAIN',
  disposable: 'NEW_EMAIL_DISPOSABLE',
  plus: 'EMAIL_WITH_PLUS',
} as const

/** Mails a link to the new address; the change happens when its reader confirms it. */
export async function startEmailChange(
  app: App,
  actor: Actor,
  organization: OrganizationRow,
  given: string,
): Promise<void> {
  if (organization.email_changes_disabled && !isAdministrator(actor.role))
    throw new ApiError('EMAIL_CHANGES_DISABLED')
  if (!isEmailAddress(given)) throw new ApiError('NEW_EMAIL_INVALID')
  const new_email = normalizeEmail(given)
  const objection = await findEmailObjection(app.db, organization, new_email)
  if (objection) throw new ApiError(objections[objection])
  const holder = await findUserByDeliveryEmail(app.db, organization.id, new_email)
  if (holder) throw new ApiError(holder.is_active ? 'NEW_EMAIL_HAS_ACCOUNT' : 'NEW_EMAIL_DEACTIVATED')
  if (!canSendMail(app)) throw new ApiError('MAIL_NOT_CONFIGURED')

  const key = randomAlphanumerics(24, 'abcdefghijklmnopqrstuvwxyz0123456789')
  await writeAs(app, actor, async (tx) => {
    const { organization_id, user_id, origin } = actor
    const sealed = { key_hash: app.secrets.hash(key), key_sealed: app.secrets.encrypt(key) }
    const { id } = await tx
      .insertInto('email_change')
      .values({ organization_id, user_id, new_email, origin, ...sealed })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueue(tx, mailEmailChange, { organization_id, id })
  })
}

/** The job carries no key: whoever reads the database must not be able to open the link. */
export const mailEmailChange = job<{ organization_id: number; id: number }>({
  name: 'mail_email_change',
  async run(app, { organization_id, id }) {
    const { rows } = await sql<{
      new_email: string
      key_sealed: Buffer
      origin: string
      organization: string
    }>`
      select new_email, key_sealed, origin, organization.name as organization
      from email_change join organization on organization.id = organization_id
      where organization_id = ${organization_id} and email_change.id = ${id}`.execute(app.db)
    const [change] = rows
    if (!change) return
    const link = `${change.origin}/accounts/confirm_new_email/${app.secrets.decrypt(change.key_sealed)}`
    await sendMail(app, {
      to: change.new_email,
      subject: `Confirm your new address for ${change.organization.replace(/[\r\n]/g, ' ')}`,
      text: `Someone, most likely you, asked to use this address for their account at ${change.organization}.\n\nTo confirm it, open\n\n  ${link}\n\nThe link works for one day. If it was not you, there is nothing to do.\n`,
    })
  },
})

const waiting = sql<boolean>`created_at > now() - interval '1 day'`

/** Returns the address that is now in use, or nothing where the link is unknown, old, used, or its address taken. */
export async function confirmEmailChange(app: App, key: string): Promise<string | undefined> {
  try {
    return await inTransaction(app.db, async (tx) => {
      const change = await tx
        .deleteFrom('email_change')
        .where('key_hash', '=', app.secrets.hash(key))
        .where(waiting)
        .returning(['organization_id', 'user_id', 'new_email'])
        .executeTakeFirst()
      if (!change) return undefined
      await updateUserRow(tx, change.organization_id, change.user_id, { delivery_email: change.new_email })
      return change.new_email
    })
  } catch (error) {
    if (brokenConstraint(error) === 'user_account_email_key') return undefined
    throw error
  }
}

export const forgetOldEmailChanges = job<unknown>({
  name: 'forget_old_email_changes',
  schedule: '17 * * * *',
  async run({ db }) {
    await db.deleteFrom('email_change').where(sql<boolean>`not ${waiting}`).execute()
  },
})
