import type { OrganizationId, Role } from '@oxbow/contract'
import type { Config } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { canSeeDeliveryEmail, displayEmail, parseHiddenAddresses } from './public-account.ts'
import { type Account, listAccountsByEmailOrId } from './queries.ts'

/** Finds accounts by their display addresses. The keys of the result are in lower case. */
export async function listAccountsByEmail(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await listAccountsByAnyEmail(config, db, organization_id, emails)
  // A hidden delivery address must not identify an account.
  return new Map(rows.map((account) => [displayEmail(config, account).toLowerCase(), account]))
}

/**
 * Finds an account by an address that the viewer can see: the display address, or the delivery
 * address where the viewer's role may see it.
 */
export async function findAccountByShownEmail(
  config: Config,
  db: Db,
  { organization_id, role }: { organization_id: OrganizationId; role: Role },
  email: string,
): Promise<Account | undefined> {
  const rows = await listAccountsByAnyEmail(config, db, organization_id, [email])
  const matchesRequest = (shown: string) => shown.toLowerCase() === email.toLowerCase()
  return (
    rows.find((account) => matchesRequest(displayEmail(config, account))) ??
    rows.find((account) => canSeeDeliveryEmail(account, role) && matchesRequest(account.delivery_email))
  )
}

/**
 * Lists accounts whose delivery or display address may be one of `emails`. Callers check which
 * address matched.
 */
function listAccountsByAnyEmail(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  emails: readonly string[],
): Promise<Account[]> {
  const lowerCaseEmails = emails.map((email) => email.toLowerCase())
  const hidden = parseHiddenAddresses(config, lowerCaseEmails)
  return listAccountsByEmailOrId(db, organization_id, lowerCaseEmails, hidden)
}
