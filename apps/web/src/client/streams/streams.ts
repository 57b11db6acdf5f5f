import type { StreamId, Subscription, UnsubscribedStream } from '@oxbow/contract'
import { Attention } from '@oxbow/contract/plain'
import { computed } from '@preact/signals'
import { neverSubscribed, subscriptions, unsubscribed, userTopics } from '../store.ts'

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

/** Collates names of streams: case and accents are ignored, numbers are compared by value. */
export const nameOrder = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

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
