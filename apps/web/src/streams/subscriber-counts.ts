import type { StreamId } from '@oxbow/contract'
import { signal } from '@preact/signals'
import { client } from '../client/client.ts'
import { isAdministrator } from '../client/store.ts'
import { streamsById } from '../client/streams/streams.ts'

interface Counted {
  readonly counts: ReadonlyMap<number, number>
  /** The subscribed streams at the time of the count. */
  readonly own: ReadonlySet<number>
}

/** Counts are fetched again after this time. */
const freshMs = 60_000

const counted = signal<Counted | undefined>(undefined)
let askedAt = Number.NEGATIVE_INFINITY

/** Fetches the subscriber counts of all streams, unless they were fetched recently. */
export function loadSubscriberCounts(): void {
  if (Date.now() - askedAt < freshMs) return
  askedAt = Date.now()
  const own = new Set(streamsById.peek().keys())
  const includesPrivate = isAdministrator.peek() ? { include_all_active: true } : {}
  client.streams.list({ include_subscriber_counts: true, ...includesPrivate }).then(
    ({ streams }) => {
      const counts = streams.flatMap(({ stream_id, subscriber_count }) =>
        subscriber_count === undefined ? [] : [[stream_id as number, subscriber_count] as const],
      )
      counted.value = { counts: new Map(counts), own }
    },
    () => {
      askedAt = Number.NEGATIVE_INFINITY
    },
  )
}

/**
 * Returns a stream's last known number of subscribers, corrected for the account's own later
 * subscriptions; undefined if it is not known.
 */
export function subscriberCount(stream_id: StreamId): number | undefined {
  const count = counted.value?.counts.get(stream_id)
  if (count === undefined) return undefined
  const isIn = Number(streamsById.value.has(stream_id))
  const wasIn = Number(counted.value?.own.has(stream_id))
  return count + isIn - wasIn
}
