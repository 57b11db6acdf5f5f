import { isEmailAddress } from '../../organization/email-address.ts'
import { findEmailObjection } from '../../organization/email-rules.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { findUserByDeliveryEmail } from '../../users/queries.ts'
import { findTicket, type Ticket } from './queries.ts'

/** A key, and the organization whose host it was brought to. */
export interface Presented {
  key: string
  subdomain: string | null
}

/** Why someone with a key gets no account. */
export type Refused = 'gone' | 'has account' | 'address refused'

export interface OpenTicket {
  ticket: Ticket
  organization: OrganizationRow
}

/** All that was asked when the letter was sent is asked again: days may have passed. */
export async function findOpenTicket(
  { secrets }: Pick<App, 'secrets'>,
  db: Db,
  { key, subdomain }: Presented,
): Promise<OpenTicket | Refused> {
  const ticket = await findTicket(db, secrets.hash(key))
  if (!ticket) return 'gone'
  const organization = await getOrganization(db, ticket.organization_id)
  if (organization.deactivated_at || organization.subdomain !== subdomain) return 'gone'
  const { email } = ticket
  if (!isEmailAddress(email) || (await findEmailObjection(db, organization, email))) return 'address refused'
  if (await findUserByDeliveryEmail(db, organization.id, email)) return 'has account'
  return { ticket, organization }
}
