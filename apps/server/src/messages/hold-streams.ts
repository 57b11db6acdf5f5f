import type { StreamId } from '@oxbow/contract'
import type { Tx } from '../platform/database/database.ts'
import { holdStreamDirectory, holdStreams } from '../platform/database/locks.ts'
import { BeginAgain } from '../platform/database/transaction.ts'
import { listStreamsById, type Owner, type StreamWithMembership } from '../streams/queries.ts'

export type HeldStreams = ReadonlyMap<StreamId, StreamWithMembership>

/**
 * Holds streams alone, for whoever takes messages out of them: then nobody sends to them meanwhile, or comes or goes. A
 * private one may be a default stream; its first message is told in the list of those, for which the directory is held.
 */
export async function holdStreamsAlone(tx: Tx, owner: Owner, ids: readonly StreamId[]): Promise<HeldStreams> {
  const isPrivate = await hasPrivate(tx, owner, ids)
  if (isPrivate) await holdStreamDirectory(tx, owner.organization_id, 'alone')
  await holdStreams(tx, ids)
  const streams = await listStreamsById(tx, owner, ids)
  if (!isPrivate && streams.some(({ invite_only }) => invite_only))
    throw new BeginAgain('a stream became private meanwhile')
  return new Map(streams.map((stream) => [stream.id, stream]))
}

async function hasPrivate(tx: Tx, owner: Owner, ids: readonly StreamId[]): Promise<boolean> {
  return (await listStreamsById(tx, owner, ids)).some(({ invite_only }) => invite_only)
}
