import type { Conversation, Event, UserId } from '@oxbow/contract'
import { type SendTarget, targetKey } from './target.ts'

/** A conversation of the account, with its newest message. */
export interface RecentConversation {
  readonly key: string
  readonly target: SendTarget
  /** Id of the newest message. */
  readonly newest: number
  /** Time at which the newest message was sent, in seconds. */
  readonly timestamp: number
  /** Up to four people, the most recent sender first. */
  readonly sender_ids: readonly UserId[]
}

/** Conversations by key, unordered. */
export type RecentList = ReadonlyMap<string, RecentConversation>

const maxSenders = 4

/** Returns the other people of a private conversation; in a conversation with oneself, the user. */
function withoutSelf(user_ids: readonly UserId[], ownId: UserId): readonly UserId[] {
  const others = user_ids.filter((id) => id !== ownId)
  return others.length > 0 ? others : [ownId]
}

export function readConversation(conversation: Conversation, ownId: UserId): RecentConversation {
  const { max_message_id, timestamp, sender_ids } = conversation
  const target: SendTarget =
    conversation.type === 'stream'
      ? { type: 'stream', stream_id: conversation.stream_id, topic: conversation.topic }
      : { type: 'private', user_ids: withoutSelf(conversation.user_ids, ownId) }
  return { key: targetKey(target), target, newest: max_message_id, timestamp, sender_ids }
}

/**
 * Applies an event to the list. Returns undefined after a move or the deletion of a newest message,
 * when the list must be fetched again. An event that the list already includes changes nothing.
 */
export function applyToRecent(list: RecentList, event: Event, ownId: UserId): RecentList | undefined {
  if (event.type === 'message') return addMessage(list, event.message, ownId)
  if (event.type === 'delete_message') {
    const deletedIds = new Set<unknown>(event.message_ids ?? [event.message_id])
    return list.values().some(({ newest }) => deletedIds.has(newest)) ? undefined : list
  }
  const isMove =
    event.type === 'update_message' &&
    event.stream_id !== undefined &&
    (event.orig_subject !== undefined || event.new_stream_id !== undefined)
  return isMove ? undefined : list
}

type SentMessage = Extract<Event, { type: 'message' }>['message']

function addMessage(list: RecentList, message: SentMessage, ownId: UserId): RecentList {
  const target: SendTarget =
    message.type === 'stream'
      ? { type: 'stream', stream_id: message.stream_id, topic: message.subject }
      : {
          type: 'private',
          user_ids: withoutSelf(
            message.display_recipient.map(({ id }) => id),
            ownId,
          ),
        }
  const key = targetKey(target)
  const known = list.get(key)
  if (known && known.newest >= message.id) return list
  const { id, timestamp, sender_id } = message
  const others = (known?.sender_ids ?? []).filter((each) => each !== sender_id)
  const sender_ids = [sender_id, ...others].slice(0, maxSenders)
  return new Map(list).set(key, { key, target, newest: id, timestamp, sender_ids })
}

/** Returns the conversations of a list, the one with the newest message first. */
export const sortRecent = (list: RecentList): RecentConversation[] =>
  [...list.values()].sort((one, other) => other.newest - one.newest)
