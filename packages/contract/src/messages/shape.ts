import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
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
  emoji_name: field(z.string(), 'The name of the emoji, without colons.'),
  emoji_code: field(
    z.string(),
    'Identifies the emoji: its Unicode code points in hexadecimal, the id of a custom emoji, or `chat`. Several names may have one code.',
  ),
  reaction_type: field(
    z.literal([...reactionTypes, 'zulip_extra_emoji']),
    'Where the emoji comes from: Unicode, the custom emoji of the organization, or the emoji that the server adds. Clients that know only the older name `zulip_extra_emoji` get that for the last one.',
  ),
}

export const reaction = object({
  ...reactionEmojiFields,
  user_id: field(userId, 'The id of the user who reacted.'),
  user: field(
    object({
      id: field(userId, texts.userId),
      email: field(z.string(), texts.email),
      full_name: field(z.string(), texts.fullName),
    }),
    'Deprecated. The user who reacted; use `user_id`.',
  ),
})
export type Reaction = z.infer<typeof reaction>

export const submessage = object({
  id: field(z.int(), 'The id of the submessage.'),
  message_id: field(messageId, texts.messageId),
  sender_id: field(userId, 'The id of the user who sent the submessage.'),
  msg_type: field(z.string(), 'The type of the submessage, `widget` for polls and to-do lists.'),
  content: field(z.string(), 'The content, as JSON text.'),
})
export type Submessage = z.infer<typeof submessage>

export const editHistoryEntry = object({
  user_id: field(userId, 'The id of the user who edited the message.'),
  timestamp: field(z.int(), 'When the message was edited, in seconds since 1970-01-01 UTC.'),
  prev_content: field(
    z.string().optional(),
    'The previous Markdown source. Present only if the content changed.',
  ),
  prev_rendered_content: field(
    z.string().optional(),
    'The previous content as HTML. Present only if the content changed.',
  ),
  prev_rendered_content_version: field(
    z.int().optional(),
    'The version of the renderer that made the previous HTML. Present only if the content changed.',
  ),
  prev_subject: field(z.string().optional(), 'The previous topic. Present only if the topic changed.'),
  prev_stream: field(
    streamId.optional(),
    'The id of the previous stream. Present only if the message was moved to another stream.',
  ),
})

/** A participant of a private conversation. */
export const participant = object({
  id: field(userId, texts.userId),
  email: field(z.string(), texts.email),
  full_name: field(z.string(), texts.fullName),
  is_mirror_dummy: field(z.boolean(), 'Always false: no accounts are mirrored from other systems.'),
})
export type Participant = z.infer<typeof participant>

/** Fields of stream messages and private messages. */
const common = {
  id: field(messageId, texts.messageId),
  sender_id: field(userId, 'The id of the sender.'),
  sender_email: field(z.string(), "The sender's API address."),
  sender_full_name: field(z.string(), "The sender's full name."),
  sender_realm_str: field(z.string(), "The subdomain of the sender's organization."),
  avatar_url: field(
    z.string().nullable(),
    "The URL of the sender's avatar. Null where the client asked to compute external avatar URLs itself.",
  ),
  client: field(z.string(), 'The name of the program that sent the message.'),
  content: field(z.string(), 'The content: HTML or Markdown source, as `content_type` says.'),
  content_type: field(
    z.literal(['text/html', 'text/x-markdown']),
    '`text/html` for HTML, `text/x-markdown` for Markdown source.',
  ),
  topic_links: field(
    z.array(z.string()),
    'The URLs that the linkifiers of the organization found in the topic.',
  ),
  timestamp: field(z.int(), 'When the message was sent, in seconds since 1970-01-01 UTC.'),
  recipient_id: field(z.int(), 'Identifies the stream or the set of people that the message was sent to.'),
  is_me_message: field(z.boolean(), 'Whether the message begins with `/me `.'),
  reactions: field(z.array(reaction), 'The reactions to the message.'),
  submessages: field(z.array(submessage), 'The parts of an interactive message, ordered by id.'),
  last_edit_timestamp: field(
    z.int().optional(),
    'When the message was last edited, in seconds since 1970-01-01 UTC. Absent if it never was.',
  ),
  edit_history: field(
    z.array(editHistoryEntry).optional(),
    'The newest edits, newest first; all of them are in the history of the message. Absent if there are none or the organization hides the edit history.',
  ),
}

export const streamMessage = object({
  ...common,
  type: field(z.literal('stream'), 'The message was sent to a stream.'),
  stream_id: field(streamId, texts.streamId),
  display_recipient: field(z.string(), 'The name of the stream.'),
  topic: field(z.string(), texts.topic),
  subject: field(z.string(), 'Deprecated. The same as `topic`.'),
})
export type StreamMessage = z.infer<typeof streamMessage>

export const privateMessage = object({
  ...common,
  type: field(z.literal('private'), 'The message was sent to people.'),
  display_recipient: field(
    z.array(participant),
    'All people in the conversation, including the sender, ordered by address if there are two and by id otherwise.',
  ),
  subject: field(z.literal(''), 'Always empty.'),
})
export type PrivateMessage = z.infer<typeof privateMessage>

/** A message without fields that differ between accounts. */
export const message = z.discriminatedUnion('type', [streamMessage, privateMessage])
export type Message = z.infer<typeof message>

export const accountFlags = field(
  z.array(messageFlag),
  'The flags that the message has for this account, such as `read`, `starred` and `mentioned`.',
)

const fetched = {
  flags: accountFlags,
  match_content: field(
    z.string().optional(),
    'The content as HTML, with matches in `<span class="highlight">`. Present only if the narrow has a search.',
  ),
  match_subject: field(
    z.string().optional(),
    'The topic as HTML, with matches in `<span class="highlight">`. Present only if the narrow has a search.',
  ),
}

/** A message as fetching returns it, with fields that depend on the account. */
export const fetchedMessage = z.discriminatedUnion('type', [
  streamMessage.extend(fetched),
  privateMessage.extend(fetched),
])
export type FetchedMessage = z.infer<typeof fetchedMessage>

const echoed = {
  local_id: field(
    z.string().optional(),
    'The `local_id` that the message was sent with. Present only in the queue that the request named as `queue_id`.',
  ),
}

/** A message in a `message` event. The event has the account's flags beside the message. */
export const announcedMessage = z.discriminatedUnion('type', [
  streamMessage.extend(echoed),
  privateMessage.extend(echoed),
])
export type AnnouncedMessage = z.infer<typeof announcedMessage>

/** The state of a message after it was sent, or after one of its edits. */
export const messageSnapshot = object({
  topic: field(z.string(), 'The topic after this edit.'),
  content: field(z.string(), 'The Markdown source after this edit.'),
  rendered_content: field(z.string(), 'The content after this edit, as HTML.'),
  timestamp: field(z.int(), 'When the message was sent or edited, in seconds since 1970-01-01 UTC.'),
  user_id: field(userId, 'The id of the user who sent or edited the message.'),
  prev_topic: field(z.string().optional(), 'The previous topic. Present only if the topic changed.'),
  prev_content: field(
    z.string().optional(),
    'The previous Markdown source. Present only if the content changed.',
  ),
  prev_rendered_content: field(
    z.string().optional(),
    'The previous content as HTML. Present only if the content changed.',
  ),
  content_html_diff: field(
    z.string().optional(),
    'The differences to the previous content, as HTML. Present only if the content changed. If the versions are very long, only the newest are compared; the others have `rendered_content` here.',
  ),
  prev_stream: field(
    streamId.optional(),
    'The id of the previous stream. Present only if the message was moved to another stream.',
  ),
})
export type MessageSnapshot = z.infer<typeof messageSnapshot>

/** Which messages of the topic a change of topic or stream applies to. */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const
export type PropagateMode = (typeof propagateModes)[number]
