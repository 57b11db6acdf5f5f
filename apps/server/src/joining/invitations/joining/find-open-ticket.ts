import { isEmailAddress } from '../../../identity/accounts/email-address.ts'
import { canSeeRealAddresses } from '../../../identity/accounts/public-account.ts'
import { findEmailRuleViolation } from '../../../organization/email-rules.ts'
import { getOrganization } from '../../../organization/queries.ts'
import { findUserByDeliveryEmail } from '../../../people/users/queries.ts'
import type { App } from '../../../platform/app.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { OrganizationRow } from '../../../platform/database/tables.ts'
import { canSendMail } from '../../../platform/mail/mail.ts'
import { findTicket, getInviter, type Ticket } from './queries.ts'

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
 * Finds the ticket of a key, to show the form and check what was entered. If the inviter could open
 * the link and must not learn addresses, the ticket is found even if the address has an account.
 */
export async function findTicketToShow(
  app: App,
  db: Db,
  presented: PresentedKey,
): Promise<OpenTicket | TicketRefusal> {
  const found = await findValidTicket(app, db, presented)
  if (typeof found === 'string' || (await hidesAccounts(app, db, found))) return found
  return (await hasAccount(db, found)) ? 'has account' : found
}

/** Finds the ticket of a key, with which an account can be created now. */
export async function findOpenTicket(
  app: App,
  db: Db,
  presented: PresentedKey,
): Promise<OpenTicket | TicketRefusal> {
  const found = await findValidTicket(app, db, presented)
  if (typeof found === 'string' || !(await hasAccount(db, found))) return found
  return (await hidesAccounts(app, db, found)) ? 'gone' : 'has account'
}

/**
 * Returns whether nobody may learn by the link that the address has an account. Without e-mail, opening the
 * link does not prove that the address is one's own: the inviter gets the link of an invitation, and a
 * person with an invitation link enters any address. Nothing is hidden from an inviter who sees addresses anyway.
 */
async function hidesAccounts(app: App, db: Db, { ticket, organization }: OpenTicket): Promise<boolean> {
  const { organization_id, invited_by, is_sign_up } = ticket
  if (canSendMail(app) || invited_by === null) return false
  if (is_sign_up) return true
  const { role } = await getInviter(db, organization_id, invited_by)
  return !canSeeRealAddresses(organization, role)
}

async function hasAccount(db: Db, { ticket, organization }: OpenTicket): Promise<boolean> {
  return (await findUserByDeliveryEmail(db, organization.id, ticket.email)) !== undefined
}

/**
 * Repeats all checks of the invitation, because days may have passed since it was sent. Does not
 * check whether the address has an account.
 */
async function findValidTicket(
  { secrets }: App,
  db: Db,
  { key, subdomain }: PresentedKey,
): Promise<OpenTicket | 'gone' | 'address refused'> {
  const ticket = await findTicket(db, secrets.hash(key))
  if (!ticket) return 'gone'
  const organization = await getOrganization(db, ticket.organization_id)
  if (organization.deactivated_at || organization.subdomain !== subdomain) return 'gone'
  const { email } = ticket
  if (!isEmailAddress(email) || (await findEmailRuleViolation(db, organization, email)))
    return 'address refused'
  return { ticket, organization }
}
