import type { UserId } from '@oxbow/contract'
import { makeLinkKey } from '../joining/invitations/keys.ts'
import { findResetRefusal } from '../joining/password-reset/find-target.ts'
import { mailImportLink } from '../joining/password-reset/import-email.ts'
import { sealBindingOfReset } from '../joining/password-reset/keys.ts'
import { insertReset } from '../joining/password-reset/queries.ts'
import { getOrganizationAt } from '../organization/get-organization-at.ts'
import type { App } from '../platform/app.ts'
import { lockPasswordResets } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { canSendMail } from '../platform/mail/mail.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { createResetLinkByOperator } from './password-reset.ts'
import { type ListedUser, listUsersForOperator } from './users.ts'

/**
 * Days for which import links are valid. The period is long because people may be away when their
 * organization moves.
 */
export const importLinkDays = 7
const lifetimeHours = importLinkDays * 24

export interface ImportedHost {
  subdomain: string
  /** Scheme and host of the organization. */
  origin: string
}

export interface PasswordLink {
  email: string
  link: string
}

/** Throws if this server cannot send mail. Call it before an import whose links should be mailed. */
export function refuseImportWithoutMail(app: Pick<App, 'config'>): void {
  if (!canSendMail(app))
    throw new OperatorError(
      'This server cannot send e-mail. Set OXBOW_SMTP_URL and OXBOW_EXTERNAL_URL, or print links with --links. Nothing was imported.',
    )
}

/**
 * Yields a link for each active person of an imported organization, valid for a week, to set a
 * password with. Sends no e-mail.
 */
export async function* createImportLinks(app: App, host: ImportedHost): AsyncGenerator<PasswordLink> {
  for (const { email } of await listPeople(app, host))
    yield await createResetLinkByOperator(app, { ...host, email, lifetimeHours })
}

/**
 * Enqueues an e-mail with an import link to each active person of an imported organization. Returns
 * the number of e-mails.
 */
export async function mailImportLinks(app: App, host: ImportedHost): Promise<number> {
  const { id: organization_id } = await getOrganizationAt(app, host.subdomain)
  const people = await listPeople(app, host)
  for (const { user_id, email: address } of people) {
    const email = address.toLowerCase()
    const { columns } = makeLinkKey(app, sealBindingOfReset({ organization_id, email }))
    const about = {
      organization_id,
      email,
      user_id: user_id as UserId,
      origin: host.origin,
      network: null,
    }
    await inTransaction(app.db, async (tx) => {
      await lockPasswordResets(tx, organization_id, email)
      const id = await insertReset(tx, { ...about, lifetime_hours: lifetimeHours, ...columns })
      await enqueue(tx, mailImportLink, { organization_id, id })
    })
  }
  return people.length
}

/**
 * Lists the people who can set a password. Skips `.invalid` addresses, which replace addresses that
 * a public export does not contain.
 */
async function listPeople(app: App, { subdomain }: ImportedHost): Promise<ListedUser[]> {
  const organization = await getOrganizationAt(app, subdomain)
  const refusal = findResetRefusal(organization)
  if (refusal)
    throw new OperatorError(
      `${organization.name} was imported, but there are no links, because ${
        refusal === 'deactivated' ? 'it is deactivated' : 'its people do not sign in with passwords'
      }.`,
    )
  const users = await listUsersForOperator(app, subdomain)
  return users.filter(({ email, is_bot, is_active }) => !is_bot && is_active && !email.endsWith('.invalid'))
}
