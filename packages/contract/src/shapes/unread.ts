import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'

/** Of more than these the state tells the newest unread, and the lowest of the starred ones. */
export const mostUnreadMessages = 50_000
export const mostStarredMessages = 10_000

const unread_message_ids = z.array(messageId).meta({ description: 'Ascending' })

export const unreadStreamTopic = z.strictObject({
  stream_id: streamId,
  topic: z.string(),
  unread_message_ids,
  sender_ids: z.array(userId).meta({ description: 'Who sent them, ascending' }),
})
export type UnreadStreamTopic = z.infer<typeof unreadStreamTopic>

export const unreadPrivate = z.strictObject({
  sender_id: userId.meta({ description: 'The other one in the conversation; oneself in notes to oneself' }),
  unread_message_ids,
})
export type UnreadPrivate = z.infer<typeof unreadPrivate>

export const unreadHuddle = z.strictObject({
  user_ids_string: z.string().meta({ description: 'Everyone in the conversation, ascending: `3,7,12`' }),
  unread_message_ids,
})
export type UnreadHuddle = z.infer<typeof unreadHuddle>

export const unreadMessages = z.strictObject({
  count: z.int().meta({ description: 'All but those in muted streams and topics' }),
  pms: z.array(unreadPrivate).meta({ description: 'By `sender_id`' }),
  streams: z
    .array(unreadStreamTopic)
    .meta({ description: 'By `stream_id`, then topic; topics that differ in case are apart' }),
  huddles: z
    .array(unreadHuddle)
    .meta({ description: 'Conversations of three and more, by `user_ids_string`' }),
  mentions: z.array(messageId).meta({
    description: 'Those that mention the account, and those of `wildcard_mentions` that are not muted',
  }),
  wildcard_mentions: z
    .array(messageId)
    .meta({ description: 'Those that mention everyone and not the account itself, muted or not' }),
})
export type UnreadMessages = z.infer<typeof unreadMessages>

export const recentPrivateConversation = z.strictObject({
  max_message_id: messageId,
  user_ids: z.array(userId).meta({ description: 'The others, ascending; empty in notes to oneself' }),
})
export type RecentPrivateConversation = z.infer<typeof recentPrivateConversation>
