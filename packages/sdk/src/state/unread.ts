import {
  compareCodePoints,
  type MessageId,
  type StreamId,
  type UnreadMessages,
  type UnreadStreamTopic,
  type UserId,
} from '@oxbow/contract'
import { commonIds, holdsId, withIds, withoutIds } from './id-lists.ts'
import type { IsMuted } from './muting.ts'
import { withFields } from './shared.ts'
import { type Bucket, changeBucket, countIn, countTaken, type Taken, takeOut } from './unread-buckets.ts'
import { type Mention, type Mentioning, mentionsWhen, setMentions } from './unread-mentions.ts'

/** Where an unread message is listed: in a topic, with one other person, or in a larger conversation. */
export type Place = Topic | { with: UserId } | { among: string }
type Topic = Pick<UnreadStreamTopic, 'stream_id' | 'topic'>

export interface Unread {
  id: MessageId
  place: Place
  mention: Mention
  sender_id: UserId
}

export function addUnread(
  unread: UnreadMessages,
  added: readonly Unread[],
  isMuted: IsMuted,
): UnreadMessages {
  const isQuiet = (place: Place) => 'topic' in place && isMuted(place.stream_id, place.topic)
  const groups = [...Map.groupBy(added, ({ place }) => JSON.stringify(place)).values()]
  const listed = groups.reduce((list, messages) => {
    const [{ place } = {}] = messages
    const ids = messages.map(({ id }) => id)
    const senders = messages.map(({ sender_id }) => sender_id)
    return place ? listAt(list, place, ids, senders, isQuiet(place)) : list
  }, unread)
  const mentioning = added.map(({ id, place, mention }) => ({ id, mention, isQuiet: isQuiet(place) }))
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
  const taken = [...pms.taken, ...huddles.taken, ...loud(streams.taken, isMuted)]
  return withFields(unread, {
    count: Math.max(0, unread.count - countTaken(taken)),
    pms: pms.left,
    huddles: huddles.left,
    streams: streams.left,
    mentions: withoutIds(unread.mentions, ids),
    wildcard_mentions: withoutIds(unread.wildcard_mentions, ids),
  })
}

/** To another topic or stream, or both. Who wrote what is not known, so all senders of a topic go along. */
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
    count: unread.count - countTaken(loud(taken, isMuted)),
  })
  const moved = taken.map(({ bucket, ids: own }) => {
    const place = target(bucket)
    return { place, own, senders: bucket.sender_ids, isQuiet: isMuted(place.stream_id, place.topic) }
  })
  const listed = moved.reduce(
    (list, { place, own, senders, isQuiet }) => listAt(list, place, own, senders, isQuiet),
    start,
  )
  const mentioning = moved.flatMap(({ own, isQuiet }) =>
    commonIds(unread.wildcard_mentions, new Set(own)).map(
      (id): Mentioning => ({ id, mention: 'wildcard', isQuiet }),
    ),
  )
  return setMentions(listed, mentioning)
}

export function removeUnreadOf(
  unread: UnreadMessages,
  streams: ReadonlySet<StreamId>,
  isMuted: IsMuted,
): UnreadMessages {
  const gone = unread.streams.filter(({ stream_id }) => streams.has(stream_id))
  if (gone.length === 0) return unread
  return removeUnread(unread, new Set(gone.flatMap((topic) => topic.unread_message_ids)), isMuted)
}

/** What a message that is unread mentions from now on. */
export function changeMention(
  unread: UnreadMessages,
  id: MessageId,
  mention: Mention,
  isMuted: IsMuted,
): UnreadMessages {
  const holds = ({ unread_message_ids }: Bucket) => holdsId(unread_message_ids, id)
  const topic = unread.streams.find(holds)
  if (!topic && !unread.pms.some(holds) && !unread.huddles.some(holds)) return unread
  const isQuiet = topic !== undefined && isMuted(topic.stream_id, topic.topic)
  return setMentions(unread, [{ id, mention, isQuiet }])
}

/** The same messages after something was muted or is no longer. */
export function recount(unread: UnreadMessages, isMuted: IsMuted): UnreadMessages {
  const { pms, huddles, streams } = unread
  const counted = streams.filter(({ stream_id, topic }) => !isMuted(stream_id, topic))
  return withFields(unread, {
    count: countIn(pms) + countIn(huddles) + countIn(counted),
    mentions: mentionsWhen(unread, isMuted),
  })
}

function listAt(
  unread: UnreadMessages,
  place: Place,
  ids: readonly MessageId[],
  senders: readonly UserId[],
  isQuiet: boolean,
): UnreadMessages {
  const add = <Kind extends Bucket>(bucket: Kind): Kind =>
    withFields<Bucket>(bucket, { unread_message_ids: withIds(bucket.unread_message_ids, ids) }) as Kind
  const none = { unread_message_ids: [] }
  if ('topic' in place) {
    const { buckets: streams, grown } = changeBucket(
      unread.streams,
      (bucket) => bucket.stream_id - place.stream_id || compareCodePoints(bucket.topic, place.topic),
      () => ({ ...place, ...none, sender_ids: [] }),
      (bucket) => add(withFields(bucket, { sender_ids: withIds(bucket.sender_ids, senders) })),
    )
    return withFields(unread, { streams, count: unread.count + (isQuiet ? 0 : grown) })
  }
  if ('with' in place) {
    const { buckets: pms, grown } = changeBucket(
      unread.pms,
      ({ sender_id }) => sender_id - place.with,
      () => ({ sender_id: place.with, ...none }),
      add,
    )
    return withFields(unread, { pms, count: unread.count + grown })
  }
  const { buckets: huddles, grown } = changeBucket(
    unread.huddles,
    ({ user_ids_string }) => compareCodePoints(user_ids_string, place.among),
    () => ({ user_ids_string: place.among, ...none }),
    add,
  )
  return withFields(unread, { huddles, count: unread.count + grown })
}

const isSame = (one: Topic, other: Topic): boolean =>
  one.stream_id === other.stream_id && one.topic === other.topic

/** Without what is in muted streams and topics, which is not counted. */
function loud(taken: readonly Taken<UnreadStreamTopic>[], isMuted: IsMuted) {
  return taken.filter(({ bucket }) => !isMuted(bucket.stream_id, bucket.topic))
}
