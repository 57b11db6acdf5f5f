import { ApiError } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamCount } from '../../platform/database/locks.ts'
import { countStreams } from '../queries.ts'

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
