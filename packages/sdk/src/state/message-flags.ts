import type { MessageFlagsEvent, MessageId, UnreadDetails, UnreadMessages, UserId } from '@oxbow/contract'
import { starMessages, unstarMessages } from './starred.ts'
import type { State } from './state.ts'
import { addUnread, removeUnread, type UnreadLocation, type UnreadMessage } from './unread.ts'
import { changeUnread } from './unread-state.ts'

export function applyMessageFlags(state: State, event: MessageFlagsEvent): State {
  const { flag, operation, messages } = event
  if (flag === 'starred')
    return operation === 'add' ? starMessages(state, messages) : unstarMessages(state, messages)
  if (flag !== 'read') return state
  return operation === 'add' ? markRead(state, event) : markUnread(state, event)
}

const allRead: UnreadMessages = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  wildcard_mentions: [],
}

function markRead(state: State, { messages, all }: MessageFlagsEvent): State {
  const ids = new Set(messages)
  return changeUnread(state, (unread, isMuted) => (all ? allRead : removeUnread(unread, ids, isMuted)))
}

/** Adds messages with the details in the event, because the state has no data about read messages. */
function markUnread(state: State, { message_details = {} }: MessageFlagsEvent): State {
  const added = Object.entries(message_details).flatMap(([id, details]) =>
    toUnreadMessages(Number(id) as MessageId, details, state.user_id),
  )
  return changeUnread(state, (unread, isMuted) => addUnread(unread, added, isMuted))
}

function toUnreadMessages(id: MessageId, details: UnreadDetails, self: UserId | undefined): UnreadMessage[] {
  const { sender_id, mentioned, wildcard_mentioned } = details
  const mention = mentioned ? 'personal' : wildcard_mentioned ? 'wildcard' : undefined
  const location = locateMessage(details, self)
  return location ? [{ id, location, sender_id, mention }] : []
}

function locateMessage(details: UnreadDetails, self: UserId | undefined): UnreadLocation | undefined {
  if (details.type === 'stream') return { stream_id: details.stream_id, topic: details.topic }
  const { user_ids, sender_id } = details
  const [other = sender_id, ...more] = user_ids
  if (more.length === 0) return { with: other }
  // If the sender is not among the other users, the account itself is the sender.
  const own = self ?? (user_ids.includes(sender_id) ? undefined : sender_id)
  return own === undefined ? undefined : { among: [...user_ids, own].sort((a, b) => a - b).join() }
}
