import { ApiError, bytesPerMebibyte } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamCount } from '../../platform/database/locks.ts'
import { countStreams, measureDescriptions } from '../queries.ts'
import { countPrincipals, type Principals } from './principals.ts'

/**
 * The maximum number of user and stream pairs in a request. Ten thousand take PostgreSQL a second or
 * two, in which the streams are locked.
 */
const maxPairs = 10_000

/** The maximum number of streams that a request creates. Each of them also gets a first message. */
const maxNewStreams = 100

/** Throws `TOO_MANY_SUBSCRIPTIONS` before the users are loaded. */
export function refuseTooManyPairs(principals: Principals, streams: readonly unknown[]): void {
  if (countPrincipals(principals) * streams.length > maxPairs)
    throw new ApiError('TOO_MANY_SUBSCRIPTIONS', { limit: maxPairs })
}

export function refuseTooManyNewStreams(missing: readonly unknown[]): void {
  if (missing.length > maxNewStreams) throw new ApiError('TOO_MANY_NEW_STREAMS', { limit: maxNewStreams })
}

/**
 * Throws `DESCRIPTIONS_TOO_LONG` if the organization exceeds its limit. Call it after a description was
 * stored. Takes the lock of the stream count, so that concurrent requests cannot exceed the limit together.
 */
export async function refuseLongDescriptions(
  { config }: Pick<App, 'config'>,
  tx: Tx,
  { organization_id }: Actor,
): Promise<void> {
  const { stream_descriptions_mib: limit } = config
  if (limit === 0) return
  await lockStreamCount(tx, organization_id)
  if ((await measureDescriptions(tx, organization_id)) > limit * bytesPerMebibyte)
    throw new ApiError('DESCRIPTIONS_TOO_LONG', { limit })
}

/**
 * Throws `TOO_MANY_STREAMS` if the organization would exceed its limit. Call it after locking all
 * existing streams.
 */
export async function refuseTooManyStreams(
  { config }: Pick<App, 'config'>,
  tx: Tx,
  { organization_id }: Actor,
  added: number,
): Promise<void> {
  const { streams_per_organization: limit } = config
  if (limit === 0 || added === 0) return
  await lockStreamCount(tx, organization_id)
  if ((await countStreams(tx, organization_id)) + added > limit)
    throw new ApiError('TOO_MANY_STREAMS', { limit })
}
