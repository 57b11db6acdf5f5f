import { ApiError, type OrganizationId } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { InvitationRow, OrganizationRow } from '../platform/database/tables.ts'
import { countInvitingEmails, countLettersOfToday } from './queries.ts'

/** Whoever runs the server answers for its letters, so an organization sends only so many in a day. */
export async function refuseTooManyLetters(
  { config }: Pick<App, 'config'>,
  db: Db,
  { id }: Pick<OrganizationRow, 'id'>,
  letters: number,
): Promise<void> {
  const { invites_per_day: most } = config
  if (most === 0 || (await countLettersOfToday(db, id)) + letters <= most) return
  const admin = 'whoever runs this server'
  throw new ApiError('INVITES_USED_UP', { admin, errors: [], sent_invitations: false })
}

/**
 * Throws where the address of an invitation got as many e-mails as it may in a day: its reader may not want them. Exact
 * while the organization's row is locked, as `changeInvitations` does.
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
 * Filters addresses that got as many invitations by e-mail as they may in a day, from anyone in the organization: one, and
 * as many again as an invitation may be resent. Exact while the organization's row is locked.
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
