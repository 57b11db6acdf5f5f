import { computed } from '@preact/signals'
import { nameOf } from '../data/names.ts'
import type { SendTarget } from '../data/outbox-entry.ts'
import { othersOf } from '../data/people.ts'
import { recentConversations } from '../data/recent.ts'
import { privateConversations } from '../data/store.ts'
import { topicsOf } from '../data/stream-facts.ts'
import { isTopicMuted, streamName, streamsById } from '../data/streams.ts'
import { targetKey } from '../data/target-key.ts'
import { unreadByStream, unreadPrivate } from '../data/unread.ts'
import { findConversation, findStreamId } from '../router/route.ts'
import { route } from '../router/router.ts'
import { type Match, NameIndex } from './match.ts'

/** A topic or a private conversation that the dialog can open. */
export interface JumpConversation {
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
}

interface Unread {
  readonly target: SendTarget
  readonly newest: number
  readonly ids: readonly number[]
  readonly hasMention: boolean
}

const unreadByKey = computed(() => {
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
export function describeConversation(target: SendTarget, newest: number): JumpConversation {
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
    isMuted:
      isTopic && streamsById.value.has(target.stream_id) && isTopicMuted(target.stream_id, target.topic),
  }
}

/** Lists all known conversations, newest first: recent and unread ones, and topics of the open stream. */
const known = computed((): readonly JumpConversation[] => {
  const newest = new Map<string, { target: SendTarget; newest: number }>()
  const add = (target: SendTarget, id: number) => {
    const key = targetKey(target)
    if ((newest.get(key)?.newest ?? -1) < id) newest.set(key, { target, newest: id })
  }
  for (const conversation of recentConversations.value) add(conversation.target, conversation.newest)
  for (const unread of unreadByKey.value.values()) add(unread.target, unread.newest)
  for (const { user_ids, max_message_id } of privateConversations.value ?? [])
    add({ type: 'private', user_ids: othersOf(user_ids) }, max_message_id)
  const stream_id = findStreamId(route.value)
  if (stream_id !== undefined)
    for (const { name, max_id } of topicsOf(stream_id).value ?? [])
      add({ type: 'stream', stream_id, topic: name }, max_id)
  return [...newest.values()]
    .map((each) => describeConversation(each.target, each.newest))
    .sort((one, other) => other.newest - one.newest)
})

/** Lists unread conversations except muted ones, then recent ones except the open one; newest first. */
export function listUnreadAndRecent(max: number): {
  unread: JumpConversation[]
  recent: JumpConversation[]
} {
  const open = findConversation(route.value)
  const openKey = open && targetKey(open)
  const isUnread = ({ unread, isMuted, hasMention }: JumpConversation) =>
    unread > 0 && (!isMuted || hasMention)
  return {
    unread: known.value.filter(isUnread).slice(0, max),
    recent: known.value.filter((each) => !isUnread(each) && each.key !== openKey).slice(0, max),
  }
}

/** Conversations with a single person are listed as that person. */
const isListed = ({ target }: JumpConversation): boolean =>
  target.type === 'stream' || target.user_ids.length > 1

const byName = computed(() => prepared(known.value.filter(isListed), ({ name }) => name))
const byStreamAndName = computed(() =>
  prepared(
    known.value.filter(({ target }) => target.type === 'stream'),
    ({ stream, name }) => `${stream} ${name}`,
  ),
)

function prepared(
  items: readonly JumpConversation[],
  nameOfItem: (item: JumpConversation) => string,
): NameIndex<JumpConversation> {
  const index = new NameIndex(items, nameOfItem)
  index.prepare(Number.POSITIVE_INFINITY)
  return index
}

/** Unread conversations come before others, muted ones last. */
const tierOf = ({ unread, isMuted }: JumpConversation): number => (isMuted ? 2 : unread > 0 ? 0 : 1)

/**
 * Finds topics and group conversations by name; several words may also match the stream and the
 * topic. Reads signals.
 */
export function findConversations(query: string, max: number): Match<JumpConversation>[] {
  const found = byName.value.find(query, max, tierOf)
  if (!/\S\s+\S/.test(query)) return found
  const keys = new Set(found.map(({ item }) => item.key))
  const more = byStreamAndName.value.find(query, max, tierOf).filter(({ item }) => !keys.has(item.key))
  return [...found, ...more].slice(0, max)
}

/** Finds topics of one stream; returns all of them, newest first, for an empty text. Reads signals. */
export function findTopics(stream_id: number, query: string, max: number): JumpConversation[] {
  const topics = (topicsOf(stream_id).value ?? []).map(({ name, max_id }) =>
    describeConversation({ type: 'stream', stream_id, topic: name }, max_id),
  )
  return prepared(topics, ({ name }) => name)
    .find(query, max)
    .map(({ item }) => item)
}
