import type { StreamId, UserId } from '@oxbow/contract'
import { computed } from '@preact/signals'
import { isPersonMuted } from '../people/muted-people.ts'
import { ownId, unreadMessages } from '../store.ts'
import { orderedStreams } from '../streams/sections.ts'
import { isTopicFollowed, isTopicMuted, streamsById } from '../streams/streams.ts'
import { othersOf } from './target.ts'

/** Unread messages of one conversation. */
interface Unread {
  ids: readonly number[]
  /** Id of the newest unread message. */
  newest: number
  hasMention: boolean
}

export interface UnreadTopic extends Unread {
  stream_id: StreamId
  topic: string
  sender_ids: readonly UserId[]
  isMuted: boolean
  isFollowed: boolean
}

export interface UnreadPrivate extends Unread {
  /** Ids of the other people, sorted. */
  user_ids: readonly UserId[]
}

export interface StreamUnread {
  /** Number of messages in topics that are not muted. */
  count: number
  mutedCount: number
  hasMention: boolean
  /** Newest first. */
  topics: readonly UnreadTopic[]
}

/** Ids of unread messages that mention the account. */
export const unreadMentions = computed(
  (): ReadonlySet<number> =>
    new Set([...(unreadMessages.value?.mentions ?? []), ...(unreadMessages.value?.wildcard_mentions ?? [])]),
)

/** Number of unread messages that mention the account. */
export const mentionCount = computed(() => unreadMentions.value.size)

const describe = (ids: readonly number[]): Unread => ({
  ids,
  newest: ids.reduce((newest, id) => Math.max(newest, id), 0),
  hasMention: ids.some((id) => unreadMentions.value.has(id)),
})

const newestFirst = (one: Unread, other: Unread): number => other.newest - one.newest

/** Private conversations with unread messages, newest first. */
export const unreadPrivate = computed((): UnreadPrivate[] => {
  const { pms = [], huddles = [] } = unreadMessages.value ?? {}
  return [
    ...pms.map(({ sender_id, unread_message_ids }) => ({
      ...describe(unread_message_ids),
      user_ids: [sender_id],
    })),
    ...huddles.map(({ user_ids_string, unread_message_ids }) => ({
      ...describe(unread_message_ids),
      user_ids: othersOf(user_ids_string.split(',').map((id) => Number(id) as UserId)),
    })),
  ].sort(newestFirst)
})

/** Private conversations of `unreadPrivate` that counts include: not all of their people are muted. */
export const countedPrivate = computed(() =>
  unreadPrivate.value.filter(({ user_ids }) => !user_ids.every(isPersonMuted)),
)

/** Unread messages of each stream of the account, by id. */
export const unreadByStream = computed((): ReadonlyMap<StreamId, StreamUnread> => {
  const topics = (unreadMessages.value?.streams ?? []).map(
    ({ stream_id, topic, sender_ids, unread_message_ids }): UnreadTopic => ({
      ...describe(unread_message_ids),
      stream_id,
      topic,
      sender_ids: sender_ids.filter((id) => id !== ownId.value),
      isMuted: isTopicMuted(stream_id, topic),
      isFollowed: isTopicFollowed(stream_id, topic),
    }),
  )
  const byStream = Map.groupBy(
    topics.filter(({ stream_id }) => streamsById.value.has(stream_id)),
    ({ stream_id }) => stream_id,
  )
  return new Map([...byStream].map(([stream_id, list]) => [stream_id, summarize(list)]))
})

function summarize(topics: readonly UnreadTopic[]): StreamUnread {
  const sum = (list: readonly UnreadTopic[]) => list.reduce((total, { ids }) => total + ids.length, 0)
  return {
    count: sum(topics.filter(({ isMuted }) => !isMuted)),
    mutedCount: sum(topics.filter(({ isMuted }) => isMuted)),
    hasMention: topics.some(({ hasMention }) => hasMention),
    topics: topics.toSorted(newestFirst),
  }
}

/** Number of unread messages in topics that the account follows. */
export const followedCount = computed(() =>
  [...unreadByStream.value.values()].reduce(
    (total, { topics }) =>
      total + topics.reduce((sum, { ids, isFollowed }) => sum + (isFollowed ? ids.length : 0), 0),
    0,
  ),
)

/**
 * Topics of the Inbox by stream, in the order of the nav. A muted topic is included only if it
 * mentions the account.
 */
export const inboxStreams = computed(() =>
  orderedStreams.value.flatMap((stream) => {
    const unread = unreadByStream.value.get(stream.stream_id)
    const topics = unread?.topics.filter(({ isMuted, hasMention }) => !isMuted || hasMention) ?? []
    return topics.length > 0 ? [{ stream, topics }] : []
  }),
)

/** Number of messages that the Inbox lists. */
export const inboxCount = computed(
  () =>
    countedPrivate.value.reduce((total, { ids }) => total + ids.length, 0) +
    inboxStreams.value.reduce(
      (total, { topics }) => total + topics.reduce((sum, { ids }) => sum + ids.length, 0),
      0,
    ),
)
