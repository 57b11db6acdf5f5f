import { ApiError, isAdministrator, type OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import { isEmailAddress, normalizeEmail } from '../../identity/accounts/email-address.ts'
import { canSeeRealAddresses } from '../../identity/accounts/public-account.ts'
import { writeAs } from '../../identity/write-as.ts'
import { findEmailRuleViolation } from '../../organization/email-rules.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { autocommit } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import { canSendMail, refuseMailWithoutUrl, sendMail } from '../../platform/mail/mail.ts'
import { joinParagraphs, linkable, mailText } from '../../platform/mail/mail-text.ts'
import { randomAlphanumerics } from '../../platform/secrets/secrets.ts'
import { accessOwnUser } from './access.ts'
import {
  type BoundEmailChange,
  countRecentEmailChanges,
  endEmailChanges,
  isRecentChange,
  sealBindingOfEmailChange,
} from './email-changes.ts'
import { findUserByDeliveryEmail } from './queries.ts'

const errorByViolation = {
  outside: 'NEW_EMAIL_OUTSIDE_DOMAIN',
  disposable: 'NEW_EMAIL_DISPOSABLE',
  plus: 'EMAIL_WITH_PLUS',
} as const

/** Limits the e-mails, because they go to addresses that may belong to other people. */
const maxEmailChangesPerDay = 5

/** Sends a link to the new address. The address changes when its owner confirms the link. */
export async function startEmailChange(
  app: App,
  actor: Actor,
  organization: OrganizationRow,
  email: string,
): Promise<void> {
  if (organization.email_changes_disabled && !isAdministrator(actor.role)) {
    throw new ApiError('EMAIL_CHANGES_DISABLED')
  }
  if (!isEmailAddress(email)) throw new ApiError('NEW_EMAIL_INVALID')
  const new_email = normalizeEmail(email)
  const violation = await findEmailRuleViolation(app.db, organization, new_email)
  if (violation) throw new ApiError(errorByViolation[violation])
  const holder = await findUserByDeliveryEmail(app.db, organization.id, new_email)
  // An actor who cannot see addresses must not learn that the address is taken. The owner of the
  // address gets an e-mail instead.
  if (holder && canSeeRealAddresses(organization, actor.role))
    throw new ApiError(holder.is_active ? 'NEW_EMAIL_HAS_ACCOUNT' : 'NEW_EMAIL_DEACTIVATED')
  refuseMailWithoutUrl(app)
  if (!canSendMail(app)) throw new ApiError('MAIL_NOT_CONFIGURED')

  const key = randomAlphanumerics(24, 'abcdefghijklmnopqrstuvwxyz0123456789')
  await writeAs(
    app,
    actor,
    async (tx) => {
      const user = await accessOwnUser(tx, actor)
      if ((await countRecentEmailChanges(tx, user)) >= maxEmailChangesPerDay) {
        throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': 3_600 })
      }
      // Only the newest link is valid.
      await endEmailChanges(tx, user)
      const { organization_id, id: user_id } = user
      const key_hash = app.secrets.hash(key)
      const key_sealed = app.secrets.seal(
        key,
        sealBindingOfEmailChange({ organization_id, user_id, new_email }),
      )
      const { id } = await tx
        .insertInto('email_change')
        .values({ organization_id, user_id, new_email, origin: actor.origin, key_hash, key_sealed })
        .returning('id')
        .executeTakeFirstOrThrow()
      await enqueue(tx, mailEmailChange, { organization_id, id })
    },
    { skipsIdempotency: true },
  )
}

interface PendingEmailChange extends BoundEmailChange {
  key_sealed: Buffer
  origin: string
  name: string
}

/**
 * Job that mails the link of an e-mail change. The payload of the job contains no key, so that read
 * access to the database reveals no valid link.
 */
export const mailEmailChange = job<{ organization_id: number; id: number }>({
  name: 'mail_email_change',
  async run(app, { organization_id, id }) {
    const { rows } = await sql<PendingEmailChange>`
      select organization_id, user_id, new_email, key_sealed, origin, organization.name
      from email_change join organization on organization.id = organization_id
      where organization_id = ${organization_id} and email_change.id = ${id} and ended_at is null`.execute(
      app.db,
    )
    const [change] = rows
    if (!change) return
    if (await findUserByDeliveryEmail(app.db, organization_id as OrganizationId, change.new_email)) {
      await sendMail(app, {
        to: change.new_email,
        subject: mailText`Your account at ${change.name}`,
        text: joinParagraphs(
          mailText`Someone asked to use this address for their account at ${change.name}, but it has an account there already.`,
          mailText`If it was you, sign in with this address, or ask an administrator for help. If it was not you, there is nothing to do.`,
        ),
      })
      return
    }
    const key = app.secrets.open(change.key_sealed, sealBindingOfEmailChange(change))
    const link = `${change.origin}/accounts/confirm_new_email/${key}`
    await sendMail(app, {
      to: change.new_email,
      subject: mailText`Confirm your new address for ${change.name}`,
      text: joinParagraphs(
        mailText`Someone, most likely you, asked to use this address for their account at ${change.name}.`,
        mailText`To confirm it, open`,
        mailText`  ${linkable(link)}`,
        mailText`The link works for one day. If it was not you, there is nothing to do.`,
      ),
    })
  },
})

export const deleteOldEmailChanges = job<unknown>({
  name: 'forget_old_email_changes',
  schedule: '17 * * * *',
  async run({ db }) {
    await autocommit(db).deleteFrom('email_change').where(sql<boolean>`not ${isRecentChange}`).execute()
  },
})
