import { isEmailAddress } from '../../accounts/email-address.ts'
import { findEmailRuleViolation } from '../../organization/email-rules.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { findUserByDeliveryEmail } from '../../users/queries.ts'
import { findTicket, type Ticket } from './queries.ts'

/** The key of a link, and the subdomain of the request. */
export interface PresentedKey {
  key: string
  subdomain: string | null
}

/** Reasons why no account can be created with a key. */
export type TicketRefusal = 'gone' | 'has account' | 'address refused'

export interface OpenTicket {
  ticket: Ticket
  organization: OrganizationRow
}

/**
 * Finds the ticket of a key. Repeats all checks of the invitation, because days may have passed
 * since it was sent.
 */
export async function findOpenTicket(
  { secrets }: Pick<App, 'secrets'>,
  db: Db,
  { key, subdomain }: PresentedKey,
): Promise<OpenTicket | TicketRefusal> {
  const ticket = await findTicket(db, secrets.hash(key))
  if (!ticket) return 'gone'
  const organization = await getOrganization(db, ticket.organization_id)
  if (organization.deactivated_at || organization.subdomain !== subdomain) return 'gone'
  const { email } = ticket
  if (!isEmailAddress(email) || (await findEmailRuleViolation(db, organization, email)))
    return 'address refused'
  if (await findUserByDeliveryEmail(db, organization.id, email)) return 'has account'
  return { ticket, organization }
}
