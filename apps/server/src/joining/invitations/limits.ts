import { ApiError, type OrganizationId } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { InvitationRow, OrganizationRow } from '../../platform/database/tables.ts'
import { countEmailsOfToday, countInvitingEmails } from './queries.ts'

/**
 * Throws if the organization's invitation e-mails would exceed the daily limit, which protects the
 * reputation of the mail server.
 */
export async function refuseTooManyEmails(
  { config }: Pick<App, 'config'>,
  db: Db,
  { id }: Pick<OrganizationRow, 'id'>,
  emails: number,
): Promise<void> {
  const { invites_per_day: maxPerDay } = config
  if (maxPerDay === 0 || (await countEmailsOfToday(db, id)) + emails <= maxPerDay) return
  const admin = 'the operator of this server'
  throw new ApiError('INVITES_USED_UP', { admin, errors: [], sent_invitations: false })
}

/**
 * Throws if the address of an invitation got the maximum number of e-mails within a day. The caller
 * must have locked the organization's row, as `changeInvitations` does.
 */
export async function refuseTooManyResends(
  app: Pick<App, 'config'>,
  db: Db,
  { organization_id, email }: Pick<InvitationRow, 'organization_id' | 'email'>,
): Promise<void> {
  const { invitation_resends_per_day: limit } = app.config
  if (email !== null && (await findOverusedAddresses(app, db, organization_id, [email])).length > 0)
    throw new ApiError('INVITATION_RESENT_TOO_OFTEN', { limit })
}

/**
 * Filters `addresses` to those that got the maximum number of invitation e-mails within a day, from
 * all inviters of the organization together. The maximum is one e-mail plus
 * `invitation_resends_per_day`. The caller must have locked the organization's row.
 */
export async function findOverusedAddresses(
  { config }: Pick<App, 'config'>,
  db: Db,
  organization_id: OrganizationId,
  addresses: readonly string[],
): Promise<string[]> {
  const { invitation_resends_per_day: limit } = config
  if (limit === 0) return []
  const folded = addresses.map((address) => address.toLowerCase())
  const counts = await countInvitingEmails(db, organization_id, folded)
  return addresses.filter((address) => (counts.get(address.toLowerCase()) ?? 0) > limit)
}
