import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'

/** In characters, which are code points. */
export const maxTopic = 60
export const maxContentBytes = 10_000
/** So many may be asked for at once, before and after the anchor together. */
export const maxMessagesPerFetch = 5_000

/** What a message is to one account, in the order in which they are told. */
export const messageFlags = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
] as const
export type MessageFlag = (typeof messageFlags)[number]
export const messageFlag = z.enum(messageFlags)

/** The others follow from the message, and from how the account came by it. */
export const editableFlags = ['read', 'starred', 'collapsed'] as const satisfies MessageFlag[]
export type EditableFlag = (typeof editableFlags)[number]

/** Where an emoji comes from: Unicode, the organization's own, or the one that comes with the service. */
export const reactionTypes = ['unicode_emoji', 'realm_emoji', 'chat_extra_emoji'] as const
export type ReactionType = (typeof reactionTypes)[number]

/** Which emoji someone reacted with. */
export const reactedWith = {
  emoji_name: z.string(),
  emoji_code: z.string().meta({
    description: 'Code points in hex, the id of a custom emoji, or `chat`; two names may have one code',
  }),
  reaction_type: z
    .literal([...reactionTypes, 'zulip_extra_emoji'])
    .meta({ description: 'Clients that know the older name of the last one get that' }),
}

export const reaction = z.strictObject({
  ...reactedWith,
  user_id: userId,
  user: z
    .strictObject({ id: userId, email: z.string(), full_name: z.string() })
    .meta({ description: 'Deprecated: `user_id` says who' }),
})
export type Reaction = z.infer<typeof reaction>

export const submessage = z.strictObject({
  id: z.int(),
  message_id: messageId,
  sender_id: userId,
  msg_type: z.string(),
  content: z.string().meta({ description: 'JSON text' }),
})
export type Submessage = z.infer<typeof submessage>

export const editHistoryEntry = z.strictObject({
  user_id: userId,
  timestamp: z.int(),
  prev_content: z.string().optional().meta({ description: 'Where the content was changed' }),
  prev_rendered_content: z.string().optional(),
  prev_rendered_content_version: z.int().optional(),
  prev_subject: z.string().optional().meta({ description: 'Where the topic was changed' }),
  prev_stream: streamId.optional().meta({ description: 'Where the message was moved to another stream' }),
})
export type EditHistoryEntry = z.infer<typeof editHistoryEntry>

/** Someone in a private conversation. */
export const participant = z.strictObject({
  id: userId,
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
})
export type Participant = z.infer<typeof participant>

/** What every message has, wherever it comes from. */
const common = {
  id: messageId,
  sender_id: userId,
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z
    .string()
    .nullable()
    .meta({ description: 'Null where the client asked to compute the external URL itself' }),
  client: z.string().meta({ description: 'The name of the program that sent it' }),
  content: z.string().meta({ description: 'HTML, or as it was written; `content_type` says which' }),
  content_type: z.literal(['text/html', 'text/x-markdown']),
  topic_links: z.array(z.string()).meta({ description: 'URLs that the topic names' }),
  timestamp: z.int(),
  recipient_id: z.int().meta({ description: 'The stream or the set of people that it was sent to' }),
  is_me_message: z.boolean().meta({ description: 'It begins with `/me `' }),
  reactions: z.array(reaction),
  submessages: z.array(submessage),
  last_edit_timestamp: z.int().optional().meta({ description: 'Where it was edited' }),
  edit_history: z
    .array(editHistoryEntry)
    .optional()
    .meta({ description: 'Where it was edited, and the organization shows that; the newest first' }),
}

export const streamMessage = z.strictObject({
  ...common,
  type: z.literal('stream'),
  stream_id: streamId,
  display_recipient: z.string().meta({ description: 'The name of the stream' }),
  topic: z.string(),
  subject: z.string().meta({ description: 'Deprecated: `topic`' }),
})
export type StreamMessage = z.infer<typeof streamMessage>

export const privateMessage = z.strictObject({
  ...common,
  type: z.literal('private'),
  display_recipient: z
    .array(participant)
    .meta({ description: 'Everyone in the conversation: two by address, more by id' }),
  subject: z.literal(''),
})
export type PrivateMessage = z.infer<typeof privateMessage>

/** A message without what it is to one account. */
export const message = z.discriminatedUnion('type', [streamMessage, privateMessage])
export type Message = z.infer<typeof message>

const fetched = {
  flags: z.array(messageFlag),
  match_content: z.string().optional().meta({
    description: 'In a search: the content as HTML, with what was found in `<span class="highlight">`',
  }),
  match_subject: z.string().optional().meta({ description: 'In a search: the topic, in the same way' }),
}

/** A message as it is fetched. */
export const fetchedMessage = z.discriminatedUnion('type', [
  streamMessage.extend(fetched),
  privateMessage.extend(fetched),
])
export type FetchedMessage = z.infer<typeof fetchedMessage>

const echoed = {
  local_id: z
    .string()
    .optional()
    .meta({ description: 'As it was sent; only for the queue that was named with it' }),
}

/** A message as an event tells it; what it is to the account stands beside it. */
export const announcedMessage = z.discriminatedUnion('type', [
  streamMessage.extend(echoed),
  privateMessage.extend(echoed),
])
export type AnnouncedMessage = z.infer<typeof announcedMessage>

/** A message after it was sent, or after one of its edits. */
export const messageSnapshot = z.strictObject({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  timestamp: z.int(),
  user_id: userId.meta({ description: 'Who sent or edited it' }),
  prev_topic: z.string().optional().meta({ description: 'Where the topic was changed' }),
  prev_content: z.string().optional().meta({ description: 'Where the content was changed' }),
  prev_rendered_content: z.string().optional(),
  content_html_diff: z.string().optional(),
  prev_stream: streamId.optional().meta({ description: 'Where it was moved to another stream' }),
})
export type MessageSnapshot = z.infer<typeof messageSnapshot>

/** Which other messages of the topic an edit of topic or stream takes along. */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof propagateModes)[number]
