import type { OrganizationId } from '@oxbow/contract'
import { displayEmail, emailVisibility } from '../../identity/accounts/public-account.ts'
import { rewriteResponsesWithAddresses } from '../../identity/idempotency.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { AddressedUser } from './queries.ts'

/**
 * Replaces delivery addresses by display addresses in responses that were saved for retries while
 * addresses were visible. The role lock must be held exclusively.
 */
export async function hideAddressesInSavedResponses(
  config: Config,
  tx: Tx,
  organization_id: OrganizationId,
  users: Iterable<AddressedUser>,
): Promise<void> {
  const hidden = new Map<string, string>()
  const email_address_visibility = emailVisibility.nobody
  for (const user of users)
    hidden.set(user.delivery_email, displayEmail(config, { ...user, email_address_visibility }))
  await rewriteResponsesWithAddresses(tx, organization_id, (response) => replace(response, hidden) as object)
}

/** Replaces every string in the value that is an address, including keys of objects. */
function replace(value: unknown, by: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return by.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => replace(item, by))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]) => [by.get(name) ?? name, replace(member, by)])
  return Object.fromEntries(members)
}
