import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'

export const maxConversationsPerFetch = 200
/** Number of a conversation's newest messages whose senders are listed. */
export const messagesForSenders = 10
export const maxListedSenders = 4

const common = {
  max_message_id: messageId,
  timestamp: z.int(),
  sender_ids: z.array(userId),
}

/** A topic of a stream in which the account received messages. */
export const topicConversation = z.strictObject({
  type: z.literal('stream'),
  stream_id: streamId,
  topic: z.string(),
  ...common,
})

/** A private conversation of the account. */
export const privateConversation = z.strictObject({
  type: z.literal('private'),
  user_ids: z.array(userId),
  ...common,
})

export const conversation = z.discriminatedUnion('type', [topicConversation, privateConversation])
export type Conversation = z.infer<typeof conversation>
