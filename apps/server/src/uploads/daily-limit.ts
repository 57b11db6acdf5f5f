import { ApiError, bytesPerMebibyte } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import { getRecentUploads } from './queries.ts'

/** Files that one account may upload in a day. Bounds the rows that are read to check the limit. */
export const maxFilesPerDay = 10_000

const secondsPerDay = 86_400

/** The rest of what one account may upload within a day. */
export interface DailyAllowance {
  files: number
  bytes: number
  /** Seconds until the oldest of the counted files is a day old. */
  waitSeconds: number
}

/**
 * Returns what the account may still upload; undefined for no limit. The limit keeps one member from
 * filling the disk where the organization has no quota. Exact in a transaction that holds the lock of
 * the organization's used space.
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

/** Returns the refusal of a file of this size; null if it is within the allowance. */
export function findDailyObjection(allowance: DailyAllowance | undefined, size: number): ApiError | null {
  if (!allowance || (allowance.files > 0 && size <= allowance.bytes)) return null
  return new ApiError('RATE_LIMIT_HIT', { 'retry-after': allowance.waitSeconds })
}
