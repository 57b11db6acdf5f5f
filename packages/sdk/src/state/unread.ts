import type { MessageId, StreamId, UnreadMessages, UnreadStreamTopic, UserId } from '@oxbow/contract'
import { compareCodePoints } from '@oxbow/contract/plain'
import { commonIds, includesId, withIds, withoutIds } from './id-lists.ts'
import type { IsMuted } from './muting.ts'
import { withFields } from './shared.ts'
import {
  type Bucket,
  changeBucket,
  countMessages,
  countRemoved,
  type RemovedMessages,
  removeFromBuckets,
} from './unread-buckets.ts'
import { type Mention, type MentionChange, recomputeMentions, setMentions } from './unread-mentions.ts'

/**
 * Where an unread message is listed: in a topic, with one other user, or in a larger conversation.
 */
export type UnreadLocation = Topic | { with: UserId } | { among: string }
type Topic = Pick<UnreadStreamTopic, 'stream_id' | 'topic'>

export interface UnreadMessage {
  id: MessageId
  location: UnreadLocation
  mention: Mention
  sender_id: UserId
}

export function addUnread(
  unread: UnreadMessages,
  added: readonly UnreadMessage[],
  isMuted: IsMuted,
): UnreadMessages {
  const isMutedLocation = (location: UnreadLocation) =>
    'topic' in location && isMuted(location.stream_id, location.topic)
  const groups = [...Map.groupBy(added, ({ location }) => JSON.stringify(location)).values()]
  const listed = groups.reduce((list, messages) => {
    const [{ location } = {}] = messages
    const ids = messages.map(({ id }) => id)
    const senders = messages.map(({ sender_id }) => sender_id)
    return location ? addToBucket(list, location, ids, senders, isMutedLocation(location)) : list
  }, unread)
  const mentioning = added.map(({ id, location, mention }) => ({
    id,
    mention,
    isMuted: isMutedLocation(location),
  }))
  return setMentions(listed, mentioning)
}

export function removeUnread(
  unread: UnreadMessages,
  ids: ReadonlySet<MessageId>,
  isMuted: IsMuted,
): UnreadMessages {
  const pms = removeFromBuckets(unread.pms, ids)
  const huddles = removeFromBuckets(unread.huddles, ids)
  const streams = removeFromBuckets(unread.streams, ids)
  const removed = [...pms.removed, ...huddles.removed, ...withoutMuted(streams.removed, isMuted)]
  return withFields(unread, {
    count: Math.max(0, unread.count - countRemoved(removed)),
    pms: pms.remaining,
    huddles: huddles.remaining,
    streams: streams.remaining,
    mentions: withoutIds(unread.mentions, ids),
    wildcard_mentions: withoutIds(unread.wildcard_mentions, ids),
  })
}

/**
 * Moves messages to another topic or stream. All senders of the old topic are added to the new one,
 * because the state does not say who sent which message.
 */
export function moveUnread(
  unread: UnreadMessages,
  ids: ReadonlySet<MessageId>,
  to: Partial<Topic>,
  isMuted: IsMuted,
): UnreadMessages {
  const { remaining, removed } = removeFromBuckets(unread.streams, ids)
  const target = ({ stream_id, topic }: Topic): Topic => ({ stream_id, topic, ...to })
  if (removed.every(({ bucket }) => isSame(bucket, target(bucket)))) return unread
  const start = withFields(unread, {
    streams: remaining,
    count: unread.count - countRemoved(withoutMuted(removed, isMuted)),
  })
  const moved = removed.map(({ bucket, ids: own }) => {
    const location = target(bucket)
    return {
      location,
      own,
      senders: bucket.sender_ids,
      isNowMuted: isMuted(location.stream_id, location.topic),
    }
  })
  const listed = moved.reduce(
    (list, { location, own, senders, isNowMuted }) => addToBucket(list, location, own, senders, isNowMuted),
    start,
  )
  const mentioning = moved.flatMap(({ own, isNowMuted }) =>
    commonIds(unread.wildcard_mentions, new Set(own)).map(
      (id): MentionChange => ({ id, mention: 'wildcard', isMuted: isNowMuted }),
    ),
  )
  return setMentions(listed, mentioning)
}

export function removeUnreadOfStreams(
  unread: UnreadMessages,
  streams: ReadonlySet<StreamId>,
  isMuted: IsMuted,
): UnreadMessages {
  const removedTopics = unread.streams.filter(({ stream_id }) => streams.has(stream_id))
  if (removedTopics.length === 0) return unread
  return removeUnread(unread, new Set(removedTopics.flatMap((topic) => topic.unread_message_ids)), isMuted)
}

/** Changes whether an unread message mentions the account. */
export function changeMention(
  unread: UnreadMessages,
  id: MessageId,
  mention: Mention,
  isMuted: IsMuted,
): UnreadMessages {
  const hasMessage = ({ unread_message_ids }: Bucket) => includesId(unread_message_ids, id)
  const topic = unread.streams.find(hasMessage)
  if (!topic && !unread.pms.some(hasMessage) && !unread.huddles.some(hasMessage)) return unread
  const isMutedTopic = topic !== undefined && isMuted(topic.stream_id, topic.topic)
  return setMentions(unread, [{ id, mention, isMuted: isMutedTopic }])
}

/** Recounts unread messages after muting changed. */
export function recount(unread: UnreadMessages, isMuted: IsMuted): UnreadMessages {
  const { pms, huddles, streams } = unread
  const counted = streams.filter(({ stream_id, topic }) => !isMuted(stream_id, topic))
  return withFields(unread, {
    count: countMessages(pms) + countMessages(huddles) + countMessages(counted),
    mentions: recomputeMentions(unread, isMuted),
  })
}

function addToBucket(
  unread: UnreadMessages,
  location: UnreadLocation,
  ids: readonly MessageId[],
  senders: readonly UserId[],
  isMuted: boolean,
): UnreadMessages {
  const add = <Kind extends Bucket>(bucket: Kind): Kind =>
    withFields<Bucket>(bucket, { unread_message_ids: withIds(bucket.unread_message_ids, ids) }) as Kind
  const emptyBucket = { unread_message_ids: [] }
  if ('topic' in location) {
    const { buckets: streams, grown } = changeBucket(
      unread.streams,
      (bucket) => bucket.stream_id - location.stream_id || compareCodePoints(bucket.topic, location.topic),
      () => ({ ...location, ...emptyBucket, sender_ids: [] }),
      (bucket) => add(withFields(bucket, { sender_ids: withIds(bucket.sender_ids, senders) })),
    )
    return withFields(unread, { streams, count: unread.count + (isMuted ? 0 : grown) })
  }
  if ('with' in location) {
    const { buckets: pms, grown } = changeBucket(
      unread.pms,
      ({ sender_id }) => sender_id - location.with,
      () => ({ sender_id: location.with, ...emptyBucket }),
      add,
    )
    return withFields(unread, { pms, count: unread.count + grown })
  }
  const { buckets: huddles, grown } = changeBucket(
    unread.huddles,
    ({ user_ids_string }) => compareCodePoints(user_ids_string, location.among),
    () => ({ user_ids_string: location.among, ...emptyBucket }),
    add,
  )
  return withFields(unread, { huddles, count: unread.count + grown })
}

const isSame = (one: Topic, other: Topic): boolean =>
  one.stream_id === other.stream_id && one.topic === other.topic

/** Leaves out messages in muted streams and topics, which are not counted. */
function withoutMuted(removed: readonly RemovedMessages<UnreadStreamTopic>[], isMuted: IsMuted) {
  return removed.filter(({ bucket }) => !isMuted(bucket.stream_id, bucket.topic))
}
