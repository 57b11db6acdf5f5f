import { ApiError } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { InvitationRow, OrganizationRow } from '../platform/database/tables.ts'
import { countLettersOfToday, countResends } from './queries.ts'

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
 * Throws where an invitation was sent again as often as it may be in a day: its reader may not want it. Exact while the
 * organization's row is locked, as `changeInvitations` does.
 */
export async function refuseTooManyResends(
  { config }: Pick<App, 'config'>,
  db: Db,
  invitation: Pick<InvitationRow, 'organization_id' | 'id'>,
): Promise<void> {
  const { invitation_resends_per_day: limit } = config
  if (limit > 0 && (await countResends(db, invitation)) >= limit)
    throw new ApiError('INVITATION_RESENT_TOO_OFTEN', { limit })
}
