import type { StreamId } from '@oxbow/contract'
import type { Tx } from '../platform/database/database.ts'
import { lockStreamDirectory, lockStreamsExclusive } from '../platform/database/locks.ts'
import { RetryTransaction } from '../platform/database/transaction.ts'
import { type AccountKey, listStreamsById, type StreamWithMembership } from '../streams/queries.ts'

export type LockedStreams = ReadonlyMap<StreamId, StreamWithMembership>

/**
 * Locks streams exclusively before messages are removed from them. Until the transaction ends,
 * nobody can send to the streams, join them or leave them. The stream directory is locked too, because a move
 * emits lists with names of streams. If one of the streams is private, it is locked exclusively: the
 * stream may be a default stream, and the list of default streams contains the id of its first message.
 */
export async function lockStreamsExclusively(
  tx: Tx,
  owner: AccountKey,
  ids: readonly StreamId[],
): Promise<LockedStreams> {
  const hasPrivateStream = await hasPrivate(tx, owner, ids)
  await lockStreamDirectory(tx, owner.organization_id, hasPrivateStream ? 'exclusive' : 'shared')
  await lockStreamsExclusive(tx, ids)
  const streams = await listStreamsById(tx, owner, ids)
  if (!hasPrivateStream && streams.some(({ invite_only }) => invite_only))
    throw new RetryTransaction('a stream became private meanwhile')
  return new Map(streams.map((stream) => [stream.id, stream]))
}

async function hasPrivate(tx: Tx, owner: AccountKey, ids: readonly StreamId[]): Promise<boolean> {
  return (await listStreamsById(tx, owner, ids)).some(({ invite_only }) => invite_only)
}
