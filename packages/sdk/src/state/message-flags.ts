import type { MessageFlagsEvent, MessageId, UnreadDetails, UnreadMessages, UserId } from '@oxbow/contract'
import { starMessages, unstarMessages } from './starred.ts'
import type { State } from './state.ts'
import { addUnread, type Place, removeUnread, type Unread } from './unread.ts'
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

/** Only messages of which the event says where they belong: the state knows nothing of those that were read. */
function markUnread(state: State, { message_details = {} }: MessageFlagsEvent): State {
  const added = Object.entries(message_details).flatMap(([id, details]) =>
    unreadAgain(Number(id) as MessageId, details, state.user_id),
  )
  return changeUnread(state, (unread, isMuted) => addUnread(unread, added, isMuted))
}

function unreadAgain(id: MessageId, details: UnreadDetails, self: UserId | undefined): Unread[] {
  const { sender_id, mentioned, wildcard_mentioned } = details
  const mention = mentioned ? 'personal' : wildcard_mentioned ? 'wildcard' : undefined
  const place = placeOf(details, self)
  return place ? [{ id, place, sender_id, mention }] : []
}

function placeOf(details: UnreadDetails, self: UserId | undefined): Place | undefined {
  if (details.type === 'stream') return { stream_id: details.stream_id, topic: details.topic }
  const { user_ids, sender_id } = details
  const [other = sender_id, ...more] = user_ids
  if (more.length === 0) return { with: other }
  // Who wrote it and is none of the others is the account itself.
  const own = self ?? (user_ids.includes(sender_id) ? undefined : sender_id)
  return own === undefined ? undefined : { among: [...user_ids, own].sort((a, b) => a - b).join() }
}
