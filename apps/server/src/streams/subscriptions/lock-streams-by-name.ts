import type { Actor } from '../../platform/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamsExclusive } from '../../platform/database/locks.ts'
import { listStreamsByName, type StreamWithMembership } from '../queries.ts'

/** Locks the streams with these names exclusively until the transaction ends, and returns them. */
export async function lockStreamsByName(
  tx: Tx,
  actor: Actor,
  foldedNames: readonly string[],
): Promise<StreamWithMembership[]> {
  let lockedIds = ''
  for (;;) {
    const streams = await listStreamsByName(tx, actor, foldedNames)
    const ids = streams.map(({ id }) => id)
    // If a stream was renamed while this waited for the locks, the streams are read and locked
    // again.
    if (ids.join() === lockedIds) return streams
    await lockStreamsExclusive(tx, ids)
    lockedIds = ids.join()
  }
}
