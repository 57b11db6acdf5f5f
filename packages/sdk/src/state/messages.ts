import type {
  AnnouncedMessage,
  MessageDeletionEvent,
  MessageUpdateEvent,
  NewMessageEvent,
  StreamId,
  UnreadMessages,
  UserId,
} from '@oxbow/contract'
import { noteFirstMessage } from './first-message.ts'
import type { IsMuted } from './muting.ts'
import { noteConversation } from './private-conversations.ts'
import { unstarMessages } from './starred.ts'
import { type State, withFetched } from './state.ts'
import { addUnread, changeMention, moveUnread, type Place, removeUnread } from './unread.ts'
import { mentionIn } from './unread-mentions.ts'
import { changeUnread } from './unread-state.ts'

export function applyNewMessage(state: State, event: NewMessageEvent): State {
  const { message, flags } = event
  if (message.type === 'private') {
    const people = message.display_recipient.map(({ id }) => id)
    return listUnread(noteConversation(receive(state, event), people, message.id), event)
  }
  const noted = noteFirstMessage(state, message.stream_id, message.id)
  if (isIn(state, message.stream_id)) return listUnread(receive(noted, event), event)
  // A bot that is called into a stream received the message; whoever listens to all public streams did not.
  return flags.length > 0 ? receive(noted, event) : noted
}

export function applyMessageUpdate(state: State, event: MessageUpdateEvent): State {
  const mention = mentionIn(event.flags)
  return changeUnread(state, (unread, isMuted) =>
    changeMention(relocate(state, unread, event, isMuted), event.message_id, mention, isMuted),
  )
}

export function applyMessageDeletion(state: State, { message_ids, message_id }: MessageDeletionEvent): State {
  const ids = message_ids ?? (message_id === undefined ? [] : [message_id])
  const unstarred = unstarMessages(state, ids)
  return changeUnread(unstarred, (unread, isMuted) => removeUnread(unread, new Set(ids), isMuted))
}

/** Where subscriptions were not fetched the account may well be in it. */
function isIn({ subscriptions }: State, id: StreamId): boolean {
  return !subscriptions || subscriptions.some(({ stream_id }) => stream_id === id)
}

function receive(state: State, { message: { id } }: NewMessageEvent): State {
  return withFetched(state, { max_message_id: Math.max(state.max_message_id ?? id, id) })
}

function listUnread(state: State, { message, flags }: NewMessageEvent): State {
  if (flags.includes('read')) return state
  const { id, sender_id } = message
  const place = placeOf(message, state.user_id)
  return changeUnread(state, (unread, isMuted) =>
    addUnread(unread, [{ id, place, sender_id, mention: mentionIn(flags) }], isMuted),
  )
}

function placeOf(message: AnnouncedMessage, self: UserId | undefined): Place {
  if (message.type === 'stream') return { stream_id: message.stream_id, topic: message.topic }
  const people = message.display_recipient.map(({ id }) => id)
  if (people.length > 2) return { among: people.sort((a, b) => a - b).join() }
  // Where accounts were not fetched the other one is most likely who wrote what is unread.
  if (self === undefined) return { with: message.sender_id }
  return { with: people.find((id) => id !== self) ?? self }
}

/** What is moved to a stream that the account is not in is not unread any more. */
function relocate(
  state: State,
  unread: UnreadMessages,
  { message_ids, subject, new_stream_id }: MessageUpdateEvent,
  isMuted: IsMuted,
): UnreadMessages {
  if (subject === undefined && new_stream_id === undefined) return unread
  const ids = new Set(message_ids)
  if (new_stream_id !== undefined && !isIn(state, new_stream_id)) return removeUnread(unread, ids, isMuted)
  const to = {
    ...(subject !== undefined && { topic: subject }),
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
  }
  return moveUnread(unread, ids, to, isMuted)
}
