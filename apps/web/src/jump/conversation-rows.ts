import type { StreamId } from '@oxbow/contract'
import { computed } from '@preact/signals'
import {
  type ConversationSummary,
  describeConversation,
  unreadByKey,
} from '../client/conversations/conversation-facts.ts'
import { recentConversations } from '../client/conversations/recent.ts'
import { othersOf, type SendTarget, targetKey } from '../client/conversations/target.ts'
import { findConversation, findStreamId } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { privateConversations } from '../client/store.ts'
import { topicsOf } from '../client/streams/stream-facts.ts'
import { type Match, NameIndex } from '../text/name-index.ts'

/** All known conversations, newest first: recent and unread ones, and topics of the open stream. */
const knownConversations = computed((): readonly ConversationSummary[] => {
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
  unread: ConversationSummary[]
  recent: ConversationSummary[]
} {
  const open = findConversation(route.value)
  const openKey = open && targetKey(open)
  const isUnread = ({ unread, isMuted, hasMention }: ConversationSummary) =>
    unread > 0 && (!isMuted || hasMention)
  return {
    unread: knownConversations.value.filter(isUnread).slice(0, max),
    recent: knownConversations.value.filter((each) => !isUnread(each) && each.key !== openKey).slice(0, max),
  }
}

/**
 * Returns whether a conversation gets a row. A conversation with one other person is listed as that
 * person instead.
 */
const isListed = ({ target }: ConversationSummary): boolean =>
  target.type === 'stream' || target.user_ids.length > 1

const byName = computed(() => buildIndex(knownConversations.value.filter(isListed), ({ name }) => name))
const byStreamAndName = computed(() =>
  buildIndex(
    knownConversations.value.filter(({ target }) => target.type === 'stream'),
    ({ stream, name }) => `${stream} ${name}`,
  ),
)

function buildIndex(
  items: readonly ConversationSummary[],
  nameOfItem: (item: ConversationSummary) => string,
): NameIndex<ConversationSummary> {
  const index = new NameIndex(items, nameOfItem)
  index.prepare(Number.POSITIVE_INFINITY)
  return index
}

/** Ranks unread conversations before others, and muted ones last. */
const tierOf = ({ unread, isMuted }: ConversationSummary): number => (isMuted ? 2 : unread > 0 ? 0 : 1)

/**
 * Finds topics and group conversations by name; several words may also match the stream and the
 * topic. Reads signals.
 */
export function findConversations(query: string, max: number): Match<ConversationSummary>[] {
  const found = byName.value.find(query, max, tierOf)
  if (!/\S\s+\S/.test(query)) return found
  const keys = new Set(found.map(({ item }) => item.key))
  const more = byStreamAndName.value.find(query, max, tierOf).filter(({ item }) => !keys.has(item.key))
  return [...found, ...more].slice(0, max)
}

/** Finds topics of one stream; returns all of them, newest first, for an empty text. Reads signals. */
export function findTopics(stream_id: StreamId, query: string, max: number): ConversationSummary[] {
  const topics = (topicsOf(stream_id).value ?? []).map(({ name, max_id }) =>
    describeConversation({ type: 'stream', stream_id, topic: name }, max_id),
  )
  return buildIndex(topics, ({ name }) => name)
    .find(query, max)
    .map(({ item }) => item)
}
