import type { MessageId } from '@oxbow/contract'
import { commonIds, withoutIds } from './id-lists.ts'
import { placeIn } from './sorted.ts'

/** The unread messages of one topic or conversation. */
export interface Bucket {
  unread_message_ids: MessageId[]
}

/**
 * The list with one of its buckets changed, and by how many messages it grew. `compare` says where a bucket stands:
 * less than zero before the one that is looked for, zero at it. Where there is none it is made.
 */
export function changeBucket<Kind extends Bucket>(
  buckets: Kind[],
  compare: (bucket: Kind) => number,
  make: () => Kind,
  change: (bucket: Kind) => Kind,
): { buckets: Kind[]; grown: number } {
  const place = placeIn(buckets, (bucket) => compare(bucket) < 0)
  const there = buckets[place]
  const found = there && compare(there) === 0 ? there : undefined
  const bucket = found ?? make()
  const changed = change(bucket)
  const grown = changed.unread_message_ids.length - bucket.unread_message_ids.length
  if (!found) return { buckets: buckets.toSpliced(place, 0, changed), grown }
  return { buckets: changed === found ? buckets : buckets.with(place, changed), grown }
}

/** What was taken out of a bucket, and the bucket as it was before. */
export interface Taken<Kind extends Bucket> {
  bucket: Kind
  ids: MessageId[]
}

/** The list without these messages, and where they were. Buckets that become empty go. */
export function takeOut<Kind extends Bucket>(
  buckets: Kind[],
  ids: ReadonlySet<MessageId>,
): { left: Kind[]; taken: Taken<Kind>[] } {
  const left: Kind[] = []
  const taken: Taken<Kind>[] = []
  for (const bucket of buckets) {
    const found = commonIds(bucket.unread_message_ids, ids)
    if (found.length > 0) taken.push({ bucket, ids: found })
    if (found.length === 0) left.push(bucket)
    else if (found.length < bucket.unread_message_ids.length)
      left.push({ ...bucket, unread_message_ids: withoutIds(bucket.unread_message_ids, ids) })
  }
  return { left: taken.length > 0 ? left : buckets, taken }
}

export function countTaken(taken: readonly Taken<Bucket>[]): number {
  return taken.reduce((sum, { ids }) => sum + ids.length, 0)
}

export function countIn(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, { unread_message_ids }) => sum + unread_message_ids.length, 0)
}
