import { computed } from '@preact/signals'
import { isPersonMuted } from '../people/muted-people.ts'
import { nameOf } from '../people/names.ts'
import { isTopicFollowed, isTopicMuted, streamName, streamsById } from '../streams/streams.ts'
import { type SendTarget, targetKey } from './target.ts'
import { unreadByStream, unreadPrivate } from './unread.ts'

/** A topic or a private conversation with the facts that lists show. */
export interface ConversationSummary {
  readonly key: string
  readonly target: SendTarget
  /** Name of the stream; empty for private conversations. */
  readonly stream: string
  /** The topic, or the names of the people. */
  readonly name: string
  /** Id of the newest known message. */
  readonly newest: number
  readonly unread: number
  readonly hasMention: boolean
  readonly isMuted: boolean
  readonly isFollowed: boolean
}

interface Unread {
  readonly target: SendTarget
  readonly newest: number
  readonly ids: readonly number[]
  readonly hasMention: boolean
}

/** Unread messages by conversation. */
export const unreadByKey = computed(() => {
  const topics = [...unreadByStream.value.values()].flatMap((stream) => stream.topics)
  const all: Unread[] = [
    ...topics.map(({ stream_id, topic, ...unread }) => ({
      ...unread,
      target: { type: 'stream' as const, stream_id, topic },
    })),
    ...unreadPrivate.value.map(({ user_ids, ...unread }) => ({
      ...unread,
      target: { type: 'private' as const, user_ids },
    })),
  ]
  return new Map(all.map((unread) => [targetKey(unread.target), unread]))
})

/** Describes a conversation. Reads signals. */
export function describeConversation(target: SendTarget, newest: number): ConversationSummary {
  const key = targetKey(target)
  const unread = unreadByKey.value.get(key)
  const isTopic = target.type === 'stream'
  return {
    key,
    target,
    stream: isTopic ? streamName(target.stream_id) : '',
    name: isTopic ? target.topic : target.user_ids.map(nameOf).join(', '),
    newest: Math.max(newest, unread?.newest ?? 0),
    unread: unread?.ids.length ?? 0,
    hasMention: unread?.hasMention ?? false,
    isMuted: isTopic
      ? streamsById.value.has(target.stream_id) && isTopicMuted(target.stream_id, target.topic)
      : target.user_ids.every(isPersonMuted),
    isFollowed: isTopic && isTopicFollowed(target.stream_id, target.topic),
  }
}
