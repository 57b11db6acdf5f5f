import { isEmailAddress, normalizeEmail } from '../../../identity/accounts/email-address.ts'
import { type EmailRuleViolation, findEmailRuleViolation } from '../../../organization/email-rules.ts'
import { findOrganization, getOrganization, lockOrganization } from '../../../organization/queries.ts'
import type { App } from '../../../platform/app.ts'
import type { InvitationRow, OrganizationRow } from '../../../platform/database/tables.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { ResolvedHost } from '../../../platform/http/host.ts'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { canSendMail, isMailWithoutUrl } from '../../../platform/mail/mail.ts'
import { makeLinkKey, sealBindingOfSignUp } from '../keys.ts'
import { findLinkByKey } from '../queries.ts'
import { countSignUps, insertSignUp } from './queries.ts'
import { mailSignUp } from './sign-up-email.ts'

/**
 * A way to sign up: with an invitation link, or without one in an organization that is open to
 * anyone.
 */
export interface SignUpEntry {
  organization: OrganizationRow
  link: InvitationRow | null
  /** The origin of the confirmation link in the e-mail. */
  origin: string
}

export type SignUpRefusal = 'gone' | 'no mail'

export async function findEntryByLink(
  app: App,
  key: string,
  host: ResolvedHost,
): Promise<SignUpEntry | SignUpRefusal> {
  const link = await findLinkByKey(app.db, app.secrets.hash(key))
  if (!link) return 'gone'
  const organization = await getOrganization(app.db, link.organization_id)
  if (organization.deactivated_at || organization.subdomain !== host.subdomain) return 'gone'
  // The host of the request is not used in the e-mail: it would let anyone send e-mails with links
  // to any host.
  return isMailWithoutUrl(app.config) ? 'no mail' : { organization, link, origin: link.origin }
}

/**
 * Returns the entry of an organization that is open to anyone. Requires `external_url`, because the
 * host of a request cannot be trusted in an e-mail.
 */
export async function findPublicEntry(
  app: App,
  { subdomain, origin }: ResolvedHost,
): Promise<SignUpEntry | SignUpRefusal> {
  const organization = subdomain === null ? undefined : await findOrganization(app.db, subdomain)
  if (!organization || organization.deactivated_at || organization.invite_required) return 'gone'
  return canSendMail(app) && app.config.external_url ? { organization, link: null, origin } : 'no mail'
}

export type SignUpProblem = 'malformed' | 'too many' | EmailRuleViolation

/** Either an e-mail was sent, or without a mail server, `key` opens the form that creates the account. */
export type SignUpOutcome = 'sent' | { key: string } | SignUpProblem

/** Limit per day, because anyone can request an e-mail to any address. */
const maxEmailsPerAddress = 3

/**
 * Sends an e-mail to the address. Only the e-mail reveals whether the address has an account; the
 * response does not. A server without e-mail lets a person with an invitation link continue without a
 * confirmed address: an administrator has passed the link on.
 */
export async function requestSignUp(
  app: App,
  entry: SignUpEntry,
  typedAddress: string,
): Promise<SignUpOutcome> {
  const address = typedAddress.trim()
  if (!isEmailAddress(address)) return 'malformed'
  const email = normalizeEmail(address)
  const violation = await findEmailRuleViolation(app.db, entry.organization, email)
  if (violation) return violation

  const { organization, link, origin } = entry
  const signUp = { organization_id: organization.id, email, invitation_id: link?.id ?? null }
  return inTransaction(app.db, async (tx): Promise<SignUpOutcome> => {
    const { id: organization_id } = await lockOrganization(tx, organization.id)
    const { all, sameAddress } = await countSignUps(tx, signUp)
    // The confirmation link in an earlier e-mail is still valid.
    if (canSendMail(app) && sameAddress >= maxEmailsPerAddress) return 'sent'
    if (isTooMany(app, all)) return 'too many'
    const { key, columns } = makeLinkKey(app, sealBindingOfSignUp(signUp))
    const id = await insertSignUp(tx, { ...signUp, origin, ...columns })
    if (!canSendMail(app)) return { key }
    await enqueue(tx, mailSignUp, { organization_id, id })
    return 'sent'
  })
}

function isTooMany({ config }: App, emailsToday: number): boolean {
  return config.invites_per_day > 0 && emailsToday >= config.invites_per_day
}
