import type { StreamId } from '@oxbow/contract'
import type { State } from './state.ts'

export type IsMuted = (stream: StreamId, topic: string) => boolean

/** Returns whether the state contains the muted streams and topics. Otherwise nothing is treated as muted. */
export function knowsMuting({ subscriptions, muted_topics }: State): boolean {
  return subscriptions !== undefined && muted_topics !== undefined
}

/**
 * Returns a function that says whether a topic is muted. It reads the state on first use only,
 * because most events do not need it.
 */
export function createMuteCheck(state: State): IsMuted {
  let muted: MutedTopics | undefined
  return (stream, topic) => {
    muted ??= findMuted(state)
    return muted.streams.has(stream) || Boolean(muted.topics.get(stream)?.has(topic.toLowerCase()))
  }
}

/**
 * Cached results, by list of subscriptions. Reading ten thousand subscriptions takes a
 * millisecond.
 */
const mutedBySubscriptions = new WeakMap<object, { muted_topics: unknown; muted: MutedTopics }>()

function findMuted(state: State): MutedTopics {
  const { subscriptions, muted_topics } = state
  const known = subscriptions && mutedBySubscriptions.get(subscriptions)
  if (known && known.muted_topics === muted_topics) return known.muted
  const muted = readMuted(state)
  if (subscriptions) mutedBySubscriptions.set(subscriptions, { muted_topics, muted })
  return muted
}

interface MutedTopics {
  streams: ReadonlySet<StreamId>
  /** Topics in lower case, because topics are case-insensitive. */
  topics: ReadonlyMap<StreamId, ReadonlySet<string>>
}

function readMuted(state: State): MutedTopics {
  const { subscriptions = [], muted_topics = [] } = knowsMuting(state) ? state : {}
  const streams = subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id)
  const topics = new Map<string, Set<string>>()
  for (const [name, topic] of muted_topics) {
    topics.set(name, (topics.get(name) ?? new Set()).add(topic.toLowerCase()))
  }
  const byId = subscriptions.flatMap(({ stream_id, name }) => {
    const muted = topics.get(name)
    return muted ? [[stream_id, muted] as const] : []
  })
  return { streams: new Set(streams), topics: new Map(byId) }
}
