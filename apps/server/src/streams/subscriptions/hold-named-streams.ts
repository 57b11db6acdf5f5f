import type { Actor } from '../../platform/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockStreamsExclusive } from '../../platform/database/locks.ts'
import { listStreamsByName, type StreamWithMembership } from '../queries.ts'

/** The streams of these names, held until the transaction ends. */
export async function holdNamedStreams(
  tx: Tx,
  actor: Actor,
  foldedNames: readonly string[],
): Promise<StreamWithMembership[]> {
  let held = ''
  for (;;) {
    const streams = await listStreamsByName(tx, actor, foldedNames)
    const ids = streams.map(({ id }) => id)
    // While we waited for them, one may have got another name or another one this name.
    if (ids.join() === held) return streams
    await lockStreamsExclusive(tx, ids)
    held = ids.join()
  }
}
