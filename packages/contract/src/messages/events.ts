import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { messageId, streamId, userId } from '../ids.ts'
import { announcedMessage, messageFlag, propagateModes, reactionEmojiFields } from './shape.ts'

export const newMessageEvent = eventSchema('message', {
  message: announcedMessage,
  flags: z.array(messageFlag),
  local_message_id: z.string().optional(),
})
export type NewMessageEvent = z.infer<typeof newMessageEvent>

export const messageUpdateEvent = eventSchema('update_message', {
  user_id: userId.optional(),
  edit_timestamp: z.int().optional(),
  message_id: messageId,
  message_ids: z.array(messageId),
  flags: z.array(messageFlag),
  rendering_only: z.literal(true).optional(),
  sender: z.string().optional(),
  stream_name: z.string().optional(),

  content: z.string().optional(),
  rendered_content: z.string().optional(),
  orig_content: z.string().optional(),
  orig_rendered_content: z.string().optional(),
  prev_rendered_content_version: z.int().optional(),
  is_me_message: z.boolean().optional(),

  stream_id: streamId.optional(),
  orig_subject: z.string().optional(),
  propagate_mode: z.enum(propagateModes).optional(),
  subject: z.string().optional(),
  topic_links: z.array(z.string()).optional(),
  new_stream_id: streamId.optional(),
})
export type MessageUpdateEvent = z.infer<typeof messageUpdateEvent>

const deletedMessageFields = {
  message_ids: z.array(messageId).optional(),
  message_id: messageId.optional(),
}

export const messageDeletionEvent = z.discriminatedUnion('message_type', [
  eventSchema('delete_message', {
    message_type: z.literal('stream'),
    ...deletedMessageFields,
    stream_id: streamId,
    topic: z.string(),
  }),
  eventSchema('delete_message', {
    message_type: z.literal('private'),
    ...deletedMessageFields,
    recipient_id: z.int(),
  }),
])
export type MessageDeletionEvent = z.infer<typeof messageDeletionEvent>

const mentions = { mentioned: z.literal(true).optional(), wildcard_mentioned: z.literal(true).optional() }

/** The conversation of a message that became unread. */
export const unreadDetails = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stream'),
    stream_id: streamId,
    topic: z.string(),
    sender_id: userId,
    ...mentions,
  }),
  z.strictObject({
    type: z.literal('private'),
    user_ids: z.array(userId),
    sender_id: userId,
    ...mentions,
  }),
])
export type UnreadDetails = z.infer<typeof unreadDetails>

export const messageFlagsEvent = eventSchema('update_message_flags', {
  operation: z.literal(['add', 'remove']),
  flag: messageFlag,
  messages: z.array(messageId),
  all: z.boolean(),
  message_details: z.record(z.string(), unreadDetails).optional(),
})
export type MessageFlagsEvent = z.infer<typeof messageFlagsEvent>

export const reactionEvent = eventSchema('reaction', {
  op: z.literal(['add', 'remove']),
  message_id: messageId,
  ...reactionEmojiFields,
  user_id: userId,
  user: z.strictObject({ user_id: userId, email: z.string(), full_name: z.string() }),
})
export type ReactionEvent = z.infer<typeof reactionEvent>

export const submessageEvent = eventSchema('submessage', {
  message_id: messageId,
  submessage_id: z.int(),
  sender_id: userId,
  msg_type: z.string(),
  content: z.string(),
})
export type SubmessageEvent = z.infer<typeof submessageEvent>
