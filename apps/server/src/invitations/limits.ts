import { ApiError } from '@oxbow/contract'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { countLettersOfToday } from './queries.ts'

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
