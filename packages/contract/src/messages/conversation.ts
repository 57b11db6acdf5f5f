import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

export const maxConversationsPerFetch = 200
/** Number of a conversation's newest messages whose senders are listed. */
export const messagesForSenders = 10
export const maxListedSenders = 4

const common = {
  max_message_id: field(
    messageId,
    'The id of the newest message that the account received in the conversation.',
  ),
  timestamp: field(z.int(), 'When that message was sent, in seconds since 1970-01-01 UTC.'),
  sender_ids: field(
    z.array(userId),
    `The ids of the users who sent the newest ${messagesForSenders} messages of the conversation, the most recent sender first, at most ${maxListedSenders}.`,
  ),
}

/** A topic of a stream in which the account received messages. */
export const topicConversation = object({
  type: field(z.literal('stream'), 'The kind of conversation: a topic of a stream.'),
  stream_id: field(streamId, texts.streamId),
  topic: field(z.string(), 'The topic, as the newest message spells it.'),
  ...common,
})

/** A private conversation of the account. */
export const privateConversation = object({
  type: field(z.literal('private'), 'The kind of conversation: private messages.'),
  user_ids: field(
    z.array(userId),
    'The ids of the other people in the conversation, ascending. Empty for messages to oneself.',
  ),
  ...common,
})

export const conversation = z.discriminatedUnion('type', [topicConversation, privateConversation])
export type Conversation = z.infer<typeof conversation>
