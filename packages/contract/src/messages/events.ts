import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { messageId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import {
  accountFlags,
  announcedMessage,
  editHistoryEntry,
  messageFlag,
  propagateModes,
  reactionEmojiFields,
  submessage,
} from './shape.ts'

const ifContentChanged = 'Present only if the content changed.'
const ifMoved = 'Present only if the topic or the stream changed.'

export const newMessageEvent = eventSchema('message', {
  message: field(announcedMessage, 'The new message.'),
  flags: accountFlags,
  local_message_id: field(z.string().optional(), "Deprecated. The same as the message's `local_id`."),
})
export type NewMessageEvent = z.infer<typeof newMessageEvent>

export const messageUpdateEvent = eventSchema('update_message', {
  user_id: field(
    userId.optional(),
    'The id of the user who edited the message. Absent if the server rendered the message again.',
  ),
  edit_timestamp: field(
    z.int().optional(),
    'When `message_id` was edited, in seconds since 1970-01-01 UTC. Absent if the server rendered the message again, and if the edited message is not in this event, because the account cannot see it or another event lists it.',
  ),
  message_id: field(
    messageId,
    'The id of the edited message or, if this event does not list that message, of the first message that was moved with it.',
  ),
  message_ids: field(z.array(messageId), 'The ids of all messages that changed, `message_id` first.'),
  flags: field(z.array(messageFlag), 'The flags that `message_id` has for this account after the edit.'),
  rendering_only: field(
    z.literal(true).optional(),
    'True if the server rendered the message again, to add previews of linked pages. This is not an edit: clients show the new HTML and nothing else.',
  ),
  sender: field(
    z.string().optional(),
    "The API address of the message's sender. Present only if the server rendered the message again.",
  ),
  stream_name: field(
    z.string().optional(),
    'The name of the stream before the change. Guests who may not see that name get the name of the new stream. Absent for private messages.',
  ),

  content: field(z.string().optional(), `The new Markdown source. ${ifContentChanged}`),
  rendered_content: field(z.string().optional(), `The new content as HTML. ${ifContentChanged}`),
  orig_content: field(z.string().optional(), `The previous Markdown source. ${ifContentChanged}`),
  orig_rendered_content: field(z.string().optional(), `The previous content as HTML. ${ifContentChanged}`),
  prev_rendered_content_version: editHistoryEntry.shape.prev_rendered_content_version,
  is_me_message: field(
    z.boolean().optional(),
    `Whether the new content begins with \`/me \`. ${ifContentChanged}`,
  ),

  stream_id: field(streamId.optional(), `The id of the stream before the change. ${ifMoved}`),
  orig_subject: field(z.string().optional(), `The topic before the change. ${ifMoved}`),
  propagate_mode: field(
    z.enum(propagateModes).optional(),
    `Which messages of the topic were changed with this one. ${ifMoved}`,
  ),
  subject: field(z.string().optional(), 'The new topic. Present only if the topic changed.'),
  topic_links: field(
    z.array(z.string()).optional(),
    'The URLs that linkifiers found in the new topic. Present only if the topic changed.',
  ),
  new_stream_id: field(
    streamId.optional(),
    'The id of the new stream. Present only if the messages were moved to another stream.',
  ),
})
export type MessageUpdateEvent = z.infer<typeof messageUpdateEvent>

const deletedMessageFields = {
  message_ids: field(
    z.array(messageId).optional(),
    'The ids of the deleted messages. Present only for clients with the capability `bulk_message_deletion`.',
  ),
  message_id: field(
    messageId.optional(),
    'The id of the deleted message. Present for all other clients, which get one event for each message.',
  ),
}

export const messageDeletionEvent = z.discriminatedUnion('message_type', [
  eventSchema('delete_message', {
    message_type: field(z.literal('stream'), 'The deleted messages were in a stream.'),
    ...deletedMessageFields,
    stream_id: field(streamId, texts.streamId),
    topic: field(z.string(), 'The topic that the messages were in.'),
  }),
  eventSchema('delete_message', {
    message_type: field(z.literal('private'), 'The deleted messages were private.'),
    ...deletedMessageFields,
    recipient_id: field(z.int(), 'Identifies the set of people in the conversation.'),
  }),
])
export type MessageDeletionEvent = z.infer<typeof messageDeletionEvent>

const mentions = {
  mentioned: field(z.literal(true).optional(), 'The message mentions this account. Absent otherwise.'),
  wildcard_mentioned: field(z.literal(true).optional(), 'The message mentions everyone. Absent otherwise.'),
}

/** The conversation of a message that became unread. */
export const unreadDetails = z.discriminatedUnion('type', [
  object({
    type: field(z.literal('stream'), 'The message was sent to a stream.'),
    stream_id: field(streamId, texts.streamId),
    topic: field(z.string(), texts.topic),
    sender_id: field(userId, 'The id of the sender.'),
    ...mentions,
  }),
  object({
    type: field(z.literal('private'), 'The message was sent to people.'),
    user_ids: field(
      z.array(userId),
      'The ids of the other people in the conversation, ascending. Empty for messages to oneself.',
    ),
    sender_id: field(userId, 'The id of the sender.'),
    ...mentions,
  }),
])
export type UnreadDetails = z.infer<typeof unreadDetails>

export const messageFlagsEvent = eventSchema('update_message_flags', {
  operation: field(z.literal(['add', 'remove']), 'Whether the flag was set (`add`) or cleared (`remove`).'),
  flag: field(messageFlag, 'The flag.'),
  messages: field(z.array(messageId), 'The ids of the messages. Empty if `all` is true.'),
  all: field(z.boolean(), 'Whether the change applies to all messages of this account.'),
  message_details: field(
    z.record(z.string(), unreadDetails).optional(),
    'The conversations of the messages that became unread, by message id. Present only if the flag `read` was cleared.',
  ),
})
export type MessageFlagsEvent = z.infer<typeof messageFlagsEvent>

export const reactionEvent = eventSchema('reaction', {
  op: field(z.literal(['add', 'remove']), 'Whether the reaction was added or removed.'),
  message_id: field(messageId, texts.messageId),
  ...reactionEmojiFields,
  user_id: field(userId, 'The id of the user who reacted.'),
  user: field(
    object({
      user_id: field(userId, texts.userId),
      email: field(z.string(), texts.email),
      full_name: field(z.string(), texts.fullName),
    }),
    'Deprecated. The user who reacted; use `user_id`.',
  ),
})
export type ReactionEvent = z.infer<typeof reactionEvent>

const { message_id, sender_id, msg_type, content } = submessage.shape

export const submessageEvent = eventSchema('submessage', {
  message_id,
  submessage_id: field(z.int(), 'The id of the submessage.'),
  sender_id,
  msg_type,
  content,
})
export type SubmessageEvent = z.infer<typeof submessageEvent>
