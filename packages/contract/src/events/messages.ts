import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'
import { announcedMessage, messageFlag, propagateModes, reactedWith } from '../shapes/message.ts'
import { kind } from './kind.ts'

export const newMessageEvent = kind('message', {
  message: announcedMessage,
  flags: z.array(messageFlag).meta({ description: 'What the message is to this account' }),
  local_message_id: z.string().optional().meta({ description: "Deprecated: the message's `local_id`" }),
})
export type NewMessageEvent = z.infer<typeof newMessageEvent>

const withContent = (description = 'Where the content was changed') =>
  z.string().optional().meta({ description })

export const messageUpdateEvent = kind('update_message', {
  user_id: userId.meta({ description: 'Who edited it' }),
  edit_timestamp: z.int(),
  message_id: messageId,
  message_ids: z.array(messageId).meta({ description: 'All that were changed, `message_id` first' }),
  flags: z.array(messageFlag).meta({ description: 'What `message_id` is to this account' }),
  stream_name: z.string().optional().meta({ description: 'Of a stream message, before it was moved' }),

  content: withContent('As it was written, where it was changed'),
  rendered_content: withContent(),
  orig_content: withContent(),
  orig_rendered_content: withContent(),
  prev_rendered_content_version: z.int().optional(),
  is_me_message: z.boolean().optional(),

  stream_id: streamId.optional().meta({ description: 'Before the change of topic or stream' }),
  orig_subject: z.string().optional().meta({ description: 'Before the change of topic or stream' }),
  propagate_mode: z.enum(propagateModes).optional(),
  subject: z.string().optional().meta({ description: 'The new topic' }),
  topic_links: z.array(z.string()).optional(),
  new_stream_id: streamId.optional().meta({ description: 'Where they were moved to another stream' }),
})
export type MessageUpdateEvent = z.infer<typeof messageUpdateEvent>

const deleted = {
  message_ids: z
    .array(messageId)
    .optional()
    .meta({ description: 'For clients with `bulk_message_deletion`' }),
  message_id: messageId.optional().meta({ description: 'For all others, in one event for each message' }),
}

export const messageDeletionEvent = z.discriminatedUnion('message_type', [
  kind('delete_message', {
    message_type: z.literal('stream'),
    ...deleted,
    stream_id: streamId,
    topic: z.string(),
  }),
  kind('delete_message', { message_type: z.literal('private'), ...deleted, recipient_id: z.int() }),
])
export type MessageDeletionEvent = z.infer<typeof messageDeletionEvent>

const mentions = { mentioned: z.literal(true).optional(), wildcard_mentioned: z.literal(true).optional() }

/** Where a message belongs that is unread again. */
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
    user_ids: z.array(userId).meta({ description: 'The others, ascending; empty in notes to oneself' }),
    sender_id: userId,
    ...mentions,
  }),
])
export type UnreadDetails = z.infer<typeof unreadDetails>

export const messageFlagsEvent = kind('update_message_flags', {
  operation: z.literal(['add', 'remove']),
  flag: messageFlag,
  messages: z.array(messageId),
  all: z.boolean().meta({ description: 'All messages that the account has; `messages` is empty then' }),
  message_details: z.record(z.string(), unreadDetails).optional().meta({
    description: 'By id, where `read` was removed: the messages that are unread again',
  }),
})
export type MessageFlagsEvent = z.infer<typeof messageFlagsEvent>

export const reactionEvent = kind('reaction', {
  op: z.literal(['add', 'remove']),
  message_id: messageId,
  ...reactedWith,
  user_id: userId.meta({ description: 'Who reacted' }),
  user: z
    .strictObject({ user_id: userId, email: z.string(), full_name: z.string() })
    .meta({ description: 'Deprecated: `user_id` says who' }),
})
export type ReactionEvent = z.infer<typeof reactionEvent>
