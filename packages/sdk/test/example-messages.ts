import type { MessageId, StreamId, UnreadMessages, UserId } from '@oxbow/contract'
import type { State } from '../src/state/state.ts'
import { ids, users } from './example-streams.ts'

// Example data for tests. The account is user 2, who is subscribed to garden and pond. In garden,
// the topics weeds and moles are muted.

export const messageIds = (...list: number[]): MessageId[] => list as MessageId[]

type Name = keyof typeof ids

export const topic = (name: Name, topic: string, unread: number[], senders: number[] = [5]) => ({
  stream_id: ids[name] as number as StreamId,
  topic,
  unread_message_ids: messageIds(...unread),
  sender_ids: users(...senders),
})

export const noUnread: UnreadMessages = {
  count: 0,
  pms: [],
  streams: [],
  huddles: [],
  mentions: [],
  wildcard_mentions: [],
}

/** Unread messages: 12 mentions the account, 13 and 15 have wildcard mentions, and 15 is muted. */
export const someUnread: UnreadMessages = {
  count: 6,
  pms: [{ sender_id: 5 as UserId, unread_message_ids: messageIds(20, 21) }],
  huddles: [{ user_ids_string: '2,5,9', unread_message_ids: messageIds(22) }],
  streams: [
    topic('garden', 'Weeds', [14, 15], [5, 9]),
    topic('garden', 'roses', [11, 12], [5, 9]),
    topic('pond', 'frogs', [13]),
  ],
  mentions: messageIds(12, 13),
  wildcard_mentions: messageIds(13, 15),
}

export function withMessages(state: State, unread_msgs: UnreadMessages = noUnread): State {
  return {
    ...state,
    max_message_id: 22,
    unread_msgs,
    starred_messages: messageIds(3, 8),
    recent_private_conversations: [
      { max_message_id: 22 as MessageId, user_ids: users(5, 9) },
      { max_message_id: 21 as MessageId, user_ids: users(5) },
    ],
  }
}

/** Builds a stream message with the fields that the reducers read. */
export const post = (id: number, name: Name, topic: string, flags: string[] = [], sender_id = 5) => ({
  type: 'message',
  message: { id, type: 'stream', stream_id: ids[name], topic, subject: topic, sender_id },
  flags,
})

/** Builds a private message from the first of these users to all of them. */
export const talk = (id: number, people: number[], flags: string[] = []) => ({
  type: 'message',
  message: {
    id,
    type: 'private',
    sender_id: people[0],
    display_recipient: people.map((person) => ({ id: person })),
    subject: '',
  },
  flags,
})

export const flag = (operation: 'add' | 'remove', flag: string, messages: number[], more = {}) => ({
  type: 'update_message_flags',
  operation,
  flag,
  messages,
  all: false,
  ...more,
})

/** Builds an update event for the first of these messages, which also moves the others. */
export const edit = (messages: number[], change: object, flags: string[] = []) => ({
  type: 'update_message',
  user_id: 5,
  edit_timestamp: 1000,
  message_id: messages[0],
  message_ids: messages,
  flags,
  ...change,
})
