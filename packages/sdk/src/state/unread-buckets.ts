import type { MessageId } from '@oxbow/contract'
import { commonIds, withoutIds } from './id-lists.ts'
import { findInsertIndex } from './sorted.ts'

/** The unread messages of one topic or conversation. */
export interface Bucket {
  unread_message_ids: MessageId[]
}

/**
 * Changes one bucket of a sorted list, and returns by how many messages the bucket grew. `compare`
 * is zero for the bucket and negative for those before it. If there is no such bucket, `make`
 * creates it.
 */
export function changeBucket<Kind extends Bucket>(
  buckets: Kind[],
  compare: (bucket: Kind) => number,
  make: () => Kind,
  change: (bucket: Kind) => Kind,
): { buckets: Kind[]; grown: number } {
  const index = findInsertIndex(buckets, (bucket) => compare(bucket) < 0)
  const candidate = buckets[index]
  const found = candidate && compare(candidate) === 0 ? candidate : undefined
  const bucket = found ?? make()
  const changed = change(bucket)
  const grown = changed.unread_message_ids.length - bucket.unread_message_ids.length
  if (!found) return { buckets: buckets.toSpliced(index, 0, changed), grown }
  return { buckets: changed === found ? buckets : buckets.with(index, changed), grown }
}

/** Messages removed from a bucket, and the bucket as it was before. */
export interface RemovedMessages<Kind extends Bucket> {
  bucket: Kind
  ids: MessageId[]
}

/**
 * Removes messages from all buckets, and returns the removed messages by bucket. Empty buckets are
 * removed.
 */
export function removeFromBuckets<Kind extends Bucket>(
  buckets: Kind[],
  ids: ReadonlySet<MessageId>,
): { remaining: Kind[]; removed: RemovedMessages<Kind>[] } {
  const remaining: Kind[] = []
  const removed: RemovedMessages<Kind>[] = []
  for (const bucket of buckets) {
    const found = commonIds(bucket.unread_message_ids, ids)
    if (found.length > 0) removed.push({ bucket, ids: found })
    if (found.length === 0) remaining.push(bucket)
    else if (found.length < bucket.unread_message_ids.length)
      remaining.push({ ...bucket, unread_message_ids: withoutIds(bucket.unread_message_ids, ids) })
  }
  return { remaining: removed.length > 0 ? remaining : buckets, removed }
}

export function countRemoved(removed: readonly RemovedMessages<Bucket>[]): number {
  return removed.reduce((sum, { ids }) => sum + ids.length, 0)
}

export function countMessages(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { unread_message_ids }) => sum + unread_message_ids.length, 0)
}
