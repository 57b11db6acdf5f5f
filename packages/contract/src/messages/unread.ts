import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'

const unread_message_ids = z.array(messageId)

export const unreadStreamTopic = z.strictObject({
  stream_id: streamId,
  topic: z.string(),
  unread_message_ids,
  sender_ids: z.array(userId),
})
export type UnreadStreamTopic = z.infer<typeof unreadStreamTopic>

export const unreadPrivate = z.strictObject({
  sender_id: userId,
  unread_message_ids,
})
export type UnreadPrivate = z.infer<typeof unreadPrivate>

export const unreadHuddle = z.strictObject({
  user_ids_string: z.string(),
  unread_message_ids,
})

export const unreadMessages = z.strictObject({
  count: z.int(),
  pms: z.array(unreadPrivate),
  streams: z.array(unreadStreamTopic),
  huddles: z.array(unreadHuddle),
  mentions: z.array(messageId),
  wildcard_mentions: z.array(messageId),
})
export type UnreadMessages = z.infer<typeof unreadMessages>

export const recentPrivateConversation = z.strictObject({
  max_message_id: messageId,
  user_ids: z.array(userId),
})
export type RecentPrivateConversation = z.infer<typeof recentPrivateConversation>
