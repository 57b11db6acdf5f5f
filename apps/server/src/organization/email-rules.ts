import { isDisposableEmailDomain } from 'disposable-email-domains-js'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { domainOf } from './email-address.ts'
import { listAllowedDomains } from './queries.ts'

export type EmailObjection = 'outside' | 'disposable' | 'plus'

/** Why an organization would not take someone with this address, if it has rules against it. */
export async function findEmailObjection(
  db: Db,
  organization: OrganizationRow,
  email: string,
): Promise<EmailObjection | undefined> {
  return (await readEmailRules(db, organization))(email)
}

/** The same for any number of addresses. */
export async function readEmailRules(
  db: Db,
  organization: OrganizationRow,
): Promise<(email: string) => EmailObjection | undefined> {
  if (!organization.emails_restricted_to_domains) {
    const { disallow_disposable_email_addresses: refuses } = organization
    return (email) => (refuses && isDisposableEmailDomain(domainOf(email)) ? 'disposable' : undefined)
  }
  const allowed = await listAllowedDomains(db, organization.id)
  return (email) => {
    // Otherwise one mailbox could make any number of accounts.
    if (email.slice(0, email.lastIndexOf('@')).includes('+')) return 'plus'
    const domain = domainOf(email)
    const fits = allowed.some(
      (entry) => domain === entry.domain || (entry.allow_subdomains && domain.endsWith(`.${entry.domain}`)),
    )
    return fits ? undefined : 'outside'
  }
}
