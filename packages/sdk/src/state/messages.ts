import type {
  AnnouncedMessage,
  MessageDeletionEvent,
  MessageUpdateEvent,
  NewMessageEvent,
  StreamId,
  UnreadMessages,
  UserId,
} from '@oxbow/contract'
import { recordFirstMessage } from './first-message.ts'
import type { IsMuted } from './muting.ts'
import { recordConversation } from './private-conversations.ts'
import { unstarMessages } from './starred.ts'
import { type State, withFetched } from './state.ts'
import { addUnread, changeMention, moveUnread, removeUnread, type UnreadLocation } from './unread.ts'
import { getMention } from './unread-mentions.ts'
import { changeUnread } from './unread-state.ts'

export function applyNewMessage(state: State, event: NewMessageEvent): State {
  const { message, flags } = event
  if (message.type === 'private') {
    const people = message.display_recipient.map(({ id }) => id)
    return addIfUnread(recordConversation(updateMaxMessageId(state, event), people, message.id), event)
  }
  const recorded = recordFirstMessage(state, message.stream_id, message.id)
  if (isSubscribed(state, message.stream_id)) return addIfUnread(updateMaxMessageId(recorded, event), event)
  // Without a subscription, an account (such as a mentioned bot) receives only messages with flags.
  return flags.length > 0 ? updateMaxMessageId(recorded, event) : recorded
}

export function applyMessageUpdate(state: State, event: MessageUpdateEvent): State {
  const mention = getMention(event.flags)
  return changeUnread(state, (unread, isMuted) =>
    changeMention(relocate(state, unread, event, isMuted), event.message_id, mention, isMuted),
  )
}

export function applyMessageDeletion(state: State, { message_ids, message_id }: MessageDeletionEvent): State {
  const ids = message_ids ?? (message_id === undefined ? [] : [message_id])
  const unstarred = unstarMessages(state, ids)
  return changeUnread(unstarred, (unread, isMuted) => removeUnread(unread, new Set(ids), isMuted))
}

/** Returns whether the account is subscribed. If subscriptions were not fetched, returns true. */
function isSubscribed({ subscriptions }: State, id: StreamId): boolean {
  return !subscriptions || subscriptions.some(({ stream_id }) => stream_id === id)
}

function updateMaxMessageId(state: State, { message: { id } }: NewMessageEvent): State {
  return withFetched(state, { max_message_id: Math.max(state.max_message_id ?? id, id) })
}

function addIfUnread(state: State, { message, flags }: NewMessageEvent): State {
  if (flags.includes('read')) return state
  const { id, sender_id } = message
  const location = locateMessage(message, state.user_id)
  return changeUnread(state, (unread, isMuted) =>
    addUnread(unread, [{ id, location, sender_id, mention: getMention(flags) }], isMuted),
  )
}

function locateMessage(message: AnnouncedMessage, self: UserId | undefined): UnreadLocation {
  if (message.type === 'stream') return { stream_id: message.stream_id, topic: message.topic }
  const people = message.display_recipient.map(({ id }) => id)
  if (people.length > 2) return { among: people.sort((a, b) => a - b).join() }
  // If the account's own id was not fetched, the sender of an unread message is most likely the other user.
  if (self === undefined) return { with: message.sender_id }
  return { with: people.find((id) => id !== self) ?? self }
}

/** Moves unread messages. Messages that are moved to a stream without a subscription are no longer unread. */
function relocate(
  state: State,
  unread: UnreadMessages,
  { message_ids, subject, new_stream_id }: MessageUpdateEvent,
  isMuted: IsMuted,
): UnreadMessages {
  if (subject === undefined && new_stream_id === undefined) return unread
  const ids = new Set(message_ids)
  if (new_stream_id !== undefined && !isSubscribed(state, new_stream_id))
    return removeUnread(unread, ids, isMuted)
  const to = {
    ...(subject !== undefined && { topic: subject }),
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
  }
  return moveUnread(unread, ids, to, isMuted)
}
