import type { StreamId } from '@oxbow/contract'
import { Attention } from '@oxbow/contract/plain'
import type { State } from './state.ts'

export type IsMuted = (stream: StreamId, topic: string) => boolean

/** Returns whether the state contains the muted streams and topics. Otherwise nothing is treated as muted. */
export function knowsMuting({ subscriptions, muted_topics, user_topics }: State): boolean {
  return subscriptions !== undefined && (user_topics ?? muted_topics) !== undefined
}

/**
 * Returns a function that says whether a topic is muted: by itself, or by its stream if the account neither
 * follows nor unmuted the topic. It reads the state only when it is called, because most events do not need it.
 */
export function createMuteCheck(state: State): IsMuted {
  return (stream, topic) => {
    const own = findPolicy(state, stream, topic)
    return own === undefined ? findAttention(state).mutedStreams.has(stream) : own === Attention.muted
  }
}

/** Returns what the account wants to hear of a topic; undefined if it chose nothing. */
export const findPolicy = (state: State, stream: StreamId, topic: string): Attention | undefined =>
  findAttention(state).topics.get(stream)?.get(topic.toLowerCase())

/** Lists the streams of the topics that the account muted, unmuted or follows. `elsewhere` stands for unknown ones. */
export const listAttendedStreams = (state: State): StreamId[] => [...findAttention(state).topics.keys()]

/** The id in place of that of a stream whose muted topics are known, and whose name is in no subscription. */
const elsewhere = 0 as StreamId

type Lists = Pick<State, 'muted_topics' | 'user_topics'>

/**
 * Cached results, by list of subscriptions. Reading ten thousand subscriptions takes a
 * millisecond.
 */
const attentionBySubscriptions = new WeakMap<object, Lists & { attention: AttentionByTopic }>()

/** Key of the results for states without subscriptions. */
const noSubscriptions = {}

function findAttention(state: State): AttentionByTopic {
  const { subscriptions = noSubscriptions, muted_topics, user_topics } = state
  const known = attentionBySubscriptions.get(subscriptions)
  if (known && known.muted_topics === muted_topics && known.user_topics === user_topics)
    return known.attention
  const attention = readAttention(state)
  attentionBySubscriptions.set(subscriptions, { muted_topics, user_topics, attention })
  return attention
}

interface AttentionByTopic {
  mutedStreams: ReadonlySet<StreamId>
  /** Topics in lower case, because topics are case-insensitive. */
  topics: ReadonlyMap<StreamId, ReadonlyMap<string, Attention>>
}

function readAttention(state: State): AttentionByTopic {
  const { subscriptions = [] } = knowsMuting(state) ? state : {}
  const muted = subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id)
  const topics = new Map<StreamId, Map<string, Attention>>()
  for (const { stream_id, topic, policy } of listAttention(state, subscriptions)) {
    const ofStream = topics.get(stream_id) ?? new Map<string, Attention>()
    topics.set(stream_id, ofStream.set(topic.toLowerCase(), policy))
  }
  return { mutedStreams: new Set(muted), topics }
}

interface TopicAttention {
  stream_id: StreamId
  topic: string
  policy: Attention
}

/** Lists what the account muted, unmuted or follows: muted topics only, from servers that know nothing else. */
function listAttention(state: State, subscriptions: NonNullable<State['subscriptions']>): TopicAttention[] {
  const { user_topics, muted_topics = [] } = state
  if (user_topics)
    return user_topics.map(({ stream_id, topic_name, visibility_policy }) => ({
      stream_id,
      topic: topic_name,
      policy: visibility_policy,
    }))
  if (muted_topics.length === 0) return []
  const ids = new Map(subscriptions.map(({ name, stream_id }) => [name, stream_id]))
  return muted_topics.map(([name, topic]) => ({
    stream_id: ids.get(name) ?? elsewhere,
    topic,
    policy: Attention.muted,
  }))
}
