import { ApiError, bytesPerMebibyte } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { getRecentUploads } from './queries.ts'

/**
 * Maximum number of files that one account may upload in 24 hours. It bounds the number of rows
 * that the check of the limit reads.
 */
export const maxFilesPerDay = 10_000

const secondsPerDay = 86_400

/** How much an account may still upload, given its uploads of the last 24 hours. */
export interface DailyAllowance {
  files: number
  bytes: number
  /** Seconds until the oldest counted file is one day old. */
  waitSeconds: number
}

/**
 * Returns how much the account may still upload, or undefined if there is no limit. The limit
 * prevents one member from filling the disk if the organization has no quota. The result is exact
 * in a transaction that has called `lockUsedSpace`.
 */
export async function getDailyAllowance(
  { config }: Pick<App, 'config'>,
  db: Db,
  { organization_id, user_id }: Pick<Actor, 'organization_id' | 'user_id'>,
): Promise<DailyAllowance | undefined> {
  const maxBytes = config.upload_mib_per_day * bytesPerMebibyte
  if (maxBytes === 0) return undefined
  const recent = await getRecentUploads(db, { organization_id, owner_id: user_id, limit: maxFilesPerDay })
  return {
    files: maxFilesPerDay - recent.files,
    bytes: maxBytes - recent.bytes,
    waitSeconds: Math.max(1, secondsPerDay - recent.oldest_seconds),
  }
}

/** Returns an error if a file of this size exceeds the allowance, otherwise null. */
export function findDailyLimitError(allowance: DailyAllowance | undefined, size: number): ApiError | null {
  if (!allowance || (allowance.files > 0 && size <= allowance.bytes)) return null
  return new ApiError('RATE_LIMIT_HIT', { 'retry-after': allowance.waitSeconds })
}
