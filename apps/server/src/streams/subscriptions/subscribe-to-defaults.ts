import type { Config } from '../../platform/config/settings.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamsExclusive } from '../../platform/database/locks.ts'
import type { StreamRow, UserRow } from '../../platform/database/tables.ts'
import { listDefaultStreams } from '../defaults/queries.ts'
import { addSubscriptions } from './add-subscriptions.ts'
import { getSubscriber } from './queries.ts'

/**
 * Subscribes a new account to the default streams, or to other chosen streams. The organization's
 * role lock must be held exclusively, so that the lists of default streams cannot change meanwhile.
 */
export async function subscribeToDefaults(
  config: Config,
  tx: Tx,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
  chosen?: readonly StreamRow[],
): Promise<readonly StreamRow[]> {
  const streams = chosen ?? (await listDefaultStreams(tx, organization_id))
  if (streams.length === 0) return []
  await lockStreamsExclusive(
    tx,
    streams.map((stream) => stream.id),
  )
  const subscriber = await getSubscriber(tx, { organization_id, user_id: id })
  await addSubscriptions(config, tx, { organization_id, streams, subscribers: [subscriber] })
  return streams
}
