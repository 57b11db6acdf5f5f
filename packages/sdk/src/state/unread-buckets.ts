import type { MessageId } from '@oxbow/contract'
import { commonIds, withoutIds } from './id-lists.ts'
import { findInsertIndex } from './sorted.ts'

/** The unread messages of one topic or conversation. */
export interface Bucket {
  unread_message_ids: MessageId[]
}

/**
 * Changes one bucket of a sorted list, and returns by how many messages it grew. `compare` is
 * negative for buckets before the wanted one and zero for it; if there is none, `make` creates it.
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
export interface TakenMessages<Kind extends Bucket> {
  bucket: Kind
  ids: MessageId[]
}

/** Removes messages from all buckets, and returns where they were. Empty buckets are removed. */
export function takeOut<Kind extends Bucket>(
  buckets: Kind[],
  ids: ReadonlySet<MessageId>,
): { left: Kind[]; taken: TakenMessages<Kind>[] } {
  const left: Kind[] = []
  const taken: TakenMessages<Kind>[] = []
  for (const bucket of buckets) {
    const found = commonIds(bucket.unread_message_ids, ids)
    if (found.length > 0) taken.push({ bucket, ids: found })
    if (found.length === 0) left.push(bucket)
    else if (found.length < bucket.unread_message_ids.length)
      left.push({ ...bucket, unread_message_ids: withoutIds(bucket.unread_message_ids, ids) })
  }
  return { left: taken.length > 0 ? left : buckets, taken }
}

export function countTaken(taken: readonly TakenMessages<Bucket>[]): number {
  return taken.reduce((sum, { ids }) => sum + ids.length, 0)
}

export function countMessages(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { unread_message_ids }) => sum + unread_message_ids.length, 0)
}
