import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'
import { messageFlags } from '../plain/message-flags.ts'

export const messageFlag = z.enum(messageFlags)

/**
 * Sources of emoji: Unicode, the custom emoji of the organization, and the emoji that the server
 * adds.
 */
export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'chat_extra_emoji'] as const
export type ReactionType = (typeof reactionTypes)[number]

/** Fields that identify the emoji of a reaction. */
export const reactionEmojiFields = {
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.literal([...reactionTypes, 'zulip_extra_emoji']),
}

export const reaction = z.strictObject({
  ...reactionEmojiFields,
  user_id: userId,
  user: z.strictObject({ id: userId, email: z.string(), full_name: z.string() }),
})
export type Reaction = z.infer<typeof reaction>

export const submessage = z.strictObject({
  id: z.int(),
  message_id: messageId,
  sender_id: userId,
  msg_type: z.string(),
  content: z.string(),
})
export type Submessage = z.infer<typeof submessage>

export const editHistoryEntry = z.strictObject({
  user_id: userId,
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_rendered_content_version: z.int().optional(),
  prev_subject: z.string().optional(),
  prev_stream: streamId.optional(),
})

/** A participant of a private conversation. */
export const participant = z.strictObject({
  id: userId,
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})
export type Participant = z.infer<typeof participant>

/** Fields of stream messages and private messages. */
const common = {
  id: messageId,
  sender_id: userId,
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  client: z.string(),
  content: z.string(),
  content_type: z.literal(['text/html', 'text/x-markdown']),
  topic_links: z.array(z.string()),
  timestamp: z.int(),
  recipient_id: z.int(),
  is_me_message: z.boolean(),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
  last_edit_timestamp: z.int().optional(),
  edit_history: z.array(editHistoryEntry).optional(),
}

export const streamMessage = z.strictObject({
  ...common,
  type: z.literal('stream'),
  stream_id: streamId,
  display_recipient: z.string(),
  topic: z.string(),
  subject: z.string(),
})
export type StreamMessage = z.infer<typeof streamMessage>

export const privateMessage = z.strictObject({
  ...common,
  type: z.literal('private'),
  display_recipient: z.array(participant),
  subject: z.literal(''),
})
export type PrivateMessage = z.infer<typeof privateMessage>

/** A message without fields that differ between accounts. */
export const message = z.discriminatedUnion('type', [streamMessage, privateMessage])
export type Message = z.infer<typeof message>

const fetched = {
  flags: z.array(messageFlag),
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
}

/** A message as fetching returns it, with fields that depend on the account. */
export const fetchedMessage = z.discriminatedUnion('type', [
  streamMessage.extend(fetched),
  privateMessage.extend(fetched),
])
export type FetchedMessage = z.infer<typeof fetchedMessage>

const echoed = {
  local_id: z.string().optional(),
}

/** A message in a `message` event. The event has the account's flags beside the message. */
export const announcedMessage = z.discriminatedUnion('type', [
  streamMessage.extend(echoed),
  privateMessage.extend(echoed),
])
export type AnnouncedMessage = z.infer<typeof announcedMessage>

/** The state of a message after it was sent, or after one of its edits. */
export const messageSnapshot = z.strictObject({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  timestamp: z.int(),
  user_id: userId,
  prev_topic: z.string().optional(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  content_html_diff: z.string().optional(),
  prev_stream: streamId.optional(),
})
export type MessageSnapshot = z.infer<typeof messageSnapshot>

/** Which messages of the topic a change of topic or stream applies to. */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof propagateModes)[number]
