import type { MessageId, StreamId, UnreadMessages, UnreadStreamTopic, UserId } from '@oxbow/contract'
import { compareCodePoints } from '@oxbow/contract/plain'
import { commonIds, includesId, withIds, withoutIds } from './id-lists.ts'
import type { IsMuted } from './muting.ts'
import { withFields } from './shared.ts'
import {
  type Bucket,
  changeBucket,
  countMessages,
  countTaken,
  type TakenMessages,
  takeOut,
} from './unread-buckets.ts'
import { type Mention, type MentionChange, recountMentions, setMentions } from './unread-mentions.ts'

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
  const isQuiet = (location: UnreadLocation) =>
    'topic' in location && isMuted(location.stream_id, location.topic)
  const groups = [...Map.groupBy(added, ({ location }) => JSON.stringify(location)).values()]
  const listed = groups.reduce((list, messages) => {
    const [{ location } = {}] = messages
    const ids = messages.map(({ id }) => id)
    const senders = messages.map(({ sender_id }) => sender_id)
    return location ? addToBucket(list, location, ids, senders, isQuiet(location)) : list
  }, unread)
  const mentioning = added.map(({ id, location, mention }) => ({ id, mention, isQuiet: isQuiet(location) }))
  return setMentions(listed, mentioning)
}

export function removeUnread(
  unread: UnreadMessages,
  ids: ReadonlySet<MessageId>,
  isMuted: IsMuted,
): UnreadMessages {
  const pms = takeOut(unread.pms, ids)
  const huddles = takeOut(unread.huddles, ids)
  const streams = takeOut(unread.streams, ids)
  const taken = [...pms.taken, ...huddles.taken, ...withoutMuted(streams.taken, isMuted)]
  return withFields(unread, {
    count: Math.max(0, unread.count - countTaken(taken)),
    pms: pms.left,
    huddles: huddles.left,
    streams: streams.left,
    mentions: withoutIds(unread.mentions, ids),
    wildcard_mentions: withoutIds(unread.wildcard_mentions, ids),
  })
}

/**
 * Moves messages to another topic or stream. All senders of a topic move along, because senders are
 * not known per message.
 */
export function moveUnread(
  unread: UnreadMessages,
  ids: ReadonlySet<MessageId>,
  to: Partial<Topic>,
  isMuted: IsMuted,
): UnreadMessages {
  const { left, taken } = takeOut(unread.streams, ids)
  const target = ({ stream_id, topic }: Topic): Topic => ({ stream_id, topic, ...to })
  if (taken.every(({ bucket }) => isSame(bucket, target(bucket)))) return unread
  const start = withFields(unread, {
    streams: left,
    count: unread.count - countTaken(withoutMuted(taken, isMuted)),
  })
  const moved = taken.map(({ bucket, ids: own }) => {
    const location = target(bucket)
    return { location, own, senders: bucket.sender_ids, isQuiet: isMuted(location.stream_id, location.topic) }
  })
  const listed = moved.reduce(
    (list, { location, own, senders, isQuiet }) => addToBucket(list, location, own, senders, isQuiet),
    start,
  )
  const mentioning = moved.flatMap(({ own, isQuiet }) =>
    commonIds(unread.wildcard_mentions, new Set(own)).map(
      (id): MentionChange => ({ id, mention: 'wildcard', isQuiet }),
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
  const holds = ({ unread_message_ids }: Bucket) => includesId(unread_message_ids, id)
  const topic = unread.streams.find(holds)
  if (!topic && !unread.pms.some(holds) && !unread.huddles.some(holds)) return unread
  const isQuiet = topic !== undefined && isMuted(topic.stream_id, topic.topic)
  return setMentions(unread, [{ id, mention, isQuiet }])
}

/** Recounts unread messages after a change of what is muted. */
export function recount(unread: UnreadMessages, isMuted: IsMuted): UnreadMessages {
  const { pms, huddles, streams } = unread
  const counted = streams.filter(({ stream_id, topic }) => !isMuted(stream_id, topic))
  return withFields(unread, {
    count: countMessages(pms) + countMessages(huddles) + countMessages(counted),
    mentions: recountMentions(unread, isMuted),
  })
}

function addToBucket(
  unread: UnreadMessages,
  location: UnreadLocation,
  ids: readonly MessageId[],
  senders: readonly UserId[],
  isQuiet: boolean,
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
    return withFields(unread, { streams, count: unread.count + (isQuiet ? 0 : grown) })
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

/** Excludes muted streams and topics, which are not counted. */
function withoutMuted(taken: readonly TakenMessages<UnreadStreamTopic>[], isMuted: IsMuted) {
  return taken.filter(({ bucket }) => !isMuted(bucket.stream_id, bucket.topic))
}
