import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

const unreadIds = 'The ids of the unread messages, ascending.'

const unread_message_ids = z.array(messageId)

export const unreadStreamTopic = object({
  stream_id: field(streamId, texts.streamId),
  topic: field(z.string(), 'The topic.'),
  unread_message_ids: field(unread_message_ids, unreadIds),
  sender_ids: field(z.array(userId), 'The ids of the users who sent the unread messages, ascending.'),
})
export type UnreadStreamTopic = z.infer<typeof unreadStreamTopic>

export const unreadPrivate = object({
  sender_id: field(
    userId,
    "The id of the other person in the conversation, or the account's own id for messages to oneself.",
  ),
  unread_message_ids: field(unread_message_ids, unreadIds),
})
export type UnreadPrivate = z.infer<typeof unreadPrivate>

export const unreadHuddle = object({
  user_ids_string: field(
    z.string(),
    'The ids of everyone in the conversation, ascending and separated by commas: `3,7,12`.',
  ),
  unread_message_ids: field(unread_message_ids, unreadIds),
})

export const unreadMessages = object({
  count: field(z.int(), 'The number of unread messages, without those in muted streams and topics.'),
  pms: field(
    z.array(unreadPrivate),
    'Unread messages in conversations of two people, ordered by `sender_id`.',
  ),
  streams: field(
    z.array(unreadStreamTopic),
    'Unread messages in streams, ordered by `stream_id` and topic. Topics that differ only in case are listed separately.',
  ),
  huddles: field(
    z.array(unreadHuddle),
    'Unread messages in conversations of three or more people, ordered by `user_ids_string`.',
  ),
  mentions: field(
    z.array(messageId),
    'The ids of unread messages that mention the account, and of those in `wildcard_mentions` that are not muted.',
  ),
  wildcard_mentions: field(
    z.array(messageId),
    'The ids of unread messages that mention everyone but not the account itself, muted or not.',
  ),
})
export type UnreadMessages = z.infer<typeof unreadMessages>

export const recentPrivateConversation = object({
  max_message_id: field(messageId, 'The id of the newest message in the conversation.'),
  user_ids: field(
    z.array(userId),
    'The ids of the other people in the conversation, ascending. Empty for messages to oneself.',
  ),
})
export type RecentPrivateConversation = z.infer<typeof recentPrivateConversation>
