import { ApiError, bytesPerMebibyte } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import { getRecentUploads } from './queries.ts'

/** Files that one account may upload in a day. Bounds the rows that are read to check the limit. */
export const maxFilesPerDay = 10_000

const secondsPerDay = 86_400

/**
 * Throws `RATE_LIMIT_HIT` if a file of this size exceeds what one account may upload in a day. It keeps one
 * member from filling the disk where the organization has no quota. Exact in a transaction that holds the
 * lock of the organization's used space.
 */
export async function refuseBeyondDailyLimit(
  { config }: Pick<App, 'config'>,
  db: Db,
  { organization_id, user_id }: Pick<Actor, 'organization_id' | 'user_id'>,
  size: number,
): Promise<void> {
  const limit = config.upload_mib_per_day * bytesPerMebibyte
  if (limit === 0) return
  const recent = await getRecentUploads(db, { organization_id, owner_id: user_id, limit: maxFilesPerDay })
  if (recent.bytes + Math.max(size, 0) <= limit && recent.files < maxFilesPerDay) return
  throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': Math.max(1, secondsPerDay - recent.oldest_seconds) })
}
