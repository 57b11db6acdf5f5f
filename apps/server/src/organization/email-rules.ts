import { getDomain } from '../identity/accounts/email-address.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { listAllowedDomains } from './queries.ts'

export type EmailRuleViolation = 'outside' | 'disposable' | 'plus'

/** Returns why the organization's rules refuse this address, or undefined. */
export async function findEmailRuleViolation(
  db: Db,
  organization: OrganizationRow,
  email: string,
): Promise<EmailRuleViolation | undefined> {
  return (await readEmailRules(db, organization))(email)
}

/** Reads the rules once and returns a function that checks any number of addresses. */
export async function readEmailRules(
  db: Db,
  organization: OrganizationRow,
): Promise<(email: string) => EmailRuleViolation | undefined> {
  if (!organization.emails_restricted_to_domains) {
    if (!organization.disallow_disposable_email_addresses) return () => undefined
    // Imported lazily, because the list of domains takes memory.
    const { isDisposableEmailDomain } = await import('./disposable-domains.ts')
    return (email) => (isDisposableEmailDomain(getDomain(email)) ? 'disposable' : undefined)
  }
  const allowed = await listAllowedDomains(db, organization.id)
  return (email) => {
    // Addresses with a plus sign would let one mailbox confirm any number of accounts.
    if (email.slice(0, email.lastIndexOf('@')).includes('+')) return 'plus'
    const domain = getDomain(email)
    const isAllowed = allowed.some(
      (entry) => domain === entry.domain || (entry.allow_subdomains && domain.endsWith(`.${entry.domain}`)),
    )
    return isAllowed ? undefined : 'outside'
  }
}
