import type { StreamId, Subscription, UnsubscribedStream } from '@oxbow/contract'
import { Attention } from '@oxbow/contract/plain'
import { computed } from '@preact/signals'
import { demoteInactive, neverSubscribed, subscriptions, unsubscribed, userTopics } from '../store.ts'

/** The account's subscriptions, by stream id. */
export const streamsById = computed(
  () => new Map((subscriptions.value ?? []).map((stream) => [stream.stream_id as number, stream])),
)

/** A stream that the account is or was subscribed to, or may see without a subscription. */
export type KnownStream = Subscription | UnsubscribedStream

/** All known streams, by id. */
export const knownStreams = computed(
  (): ReadonlyMap<number, KnownStream> =>
    new Map(
      [...(neverSubscribed.value ?? []), ...(unsubscribed.value ?? []), ...(subscriptions.value ?? [])].map(
        (stream) => [stream.stream_id as number, stream],
      ),
    ),
)

/** Returns the name of a known stream, subscribed or not. */
export const findStreamName = (stream_id: StreamId): string | undefined =>
  knownStreams.value.get(stream_id)?.name

/** Returns the name of a known stream, subscribed or not; an ellipsis otherwise. */
export const streamName = (stream_id: StreamId): string => findStreamName(stream_id) ?? '…'

/** Ids of the subscribed streams, by lower-cased name. */
export const streamIdsByName = computed(
  () => new Map((subscriptions.value ?? []).map(({ stream_id, name }) => [name.toLowerCase(), stream_id])),
)

export interface StreamGroups {
  pinned: readonly Subscription[]
  active: readonly Subscription[]
  inactive: readonly Subscription[]
}

/** Accounts with at least this many streams see them divided into active and inactive ones. */
const minDemotedStreams = 20
/** Values of `demote_inactive_streams`. */
const demotePolicies = { automatic: 1, always: 2, never: 3 }

/**
 * The subscriptions in the order of the nav: pinned, active, inactive. Each group is sorted by
 * name, with muted streams last.
 */
export const streamGroups = computed((): StreamGroups => {
  const all = subscriptions.value ?? []
  const demotes =
    demoteInactive.value === demotePolicies.always ||
    (demoteInactive.value !== demotePolicies.never && all.length >= minDemotedStreams)
  const isInactive = ({ stream_weekly_traffic }: Subscription) => demotes && stream_weekly_traffic === 0
  const sorted = all.toSorted(compareStreams)
  return {
    pinned: sorted.filter(({ pin_to_top }) => pin_to_top),
    active: sorted.filter((stream) => !stream.pin_to_top && !isInactive(stream)),
    inactive: sorted.filter((stream) => !stream.pin_to_top && isInactive(stream)),
  }
})

/** Collates names of streams: case and accents are ignored, numbers are compared by value. */
export const nameOrder = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

function compareStreams(one: Subscription, other: Subscription): number {
  return Number(one.is_muted) - Number(other.is_muted) || nameOrder.compare(one.name, other.name)
}

/** The kind of a stream, which determines its icon. */
export type StreamKind = 'public' | 'private' | 'announcement'

export function kindOf({ invite_only, is_announcement_only }: KnownStream): StreamKind {
  if (is_announcement_only) return 'announcement'
  return invite_only ? 'private' : 'public'
}

/** The attention to topics, by stream and lower-cased topic. */
const attentionByStream = computed(() => {
  const byStream = new Map<StreamId, Map<string, Attention>>()
  for (const { stream_id, topic_name, visibility_policy } of userTopics.value ?? []) {
    const topics = byStream.get(stream_id) ?? new Map<string, Attention>()
    byStream.set(stream_id, topics.set(topic_name.toLowerCase(), visibility_policy))
  }
  return byStream
})

/** Returns whether the account muted, unmuted or follows a topic. */
export const attentionTo = (stream_id: StreamId, topic: string): Attention =>
  attentionByStream.value.get(stream_id)?.get(topic.toLowerCase()) ?? Attention.none

export const isTopicFollowed = (stream_id: StreamId, topic: string): boolean =>
  attentionTo(stream_id, topic) === Attention.followed

/**
 * Returns whether a topic is muted: by itself, or by its stream unless the topic is unmuted or followed. Streams
 * without a subscription count as muted.
 */
export function isTopicMuted(stream_id: StreamId, topic: string): boolean {
  const stream = streamsById.value.get(stream_id)
  const attention = attentionTo(stream_id, topic)
  if (!stream || attention === Attention.muted) return true
  return stream.is_muted && attention === Attention.none
}
