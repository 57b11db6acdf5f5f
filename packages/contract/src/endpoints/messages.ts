import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { messageId, streamId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, jsonOrText, nonNegativeInteger, path, text } from '../kernel/params.ts'
import { maxCharacters, maxItems, oneOfStrings } from '../kernel/schemas.ts'
import { fetchedMessage, messageSnapshot, propagateModes } from '../shapes/message.ts'
import { narrow, narrowTerms } from '../shapes/narrow.ts'

/** Bounds what is stored with an event; real clients send far shorter ids. */
const maxLocalIdLength = 10_000
const maxFlaggedMessages = 50_000
/** No URL that the server accepts has room for more ids. */
const maxMatchedMessages = 10_000

const topic = text(z.string().trim().optional(), { alias: 'subject' })

/**
 * The accepted form depends on `type`, so decoding lets any JSON through and the action refuses
 * what does not fit.
 */
type Recipients = string | number | readonly string[] | readonly number[]
const recipients = z.unknown().meta({
  anyOf: [
    { type: 'string' },
    { type: 'integer' },
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'integer' } },
  ],
}) as z.ZodType<unknown, Recipients | undefined>

const contentErrors = [
  'MESSAGE_HAS_NUL',
  'CONTENT_TOO_LONG',
  'UNABLE_TO_RENDER',
] as const satisfies ErrorName[]
const topicErrors = ['TOPIC_EMPTY', 'TOPIC_TOO_LONG', 'TOPICS_REQUIRED'] as const satisfies ErrorName[]

export const send = endpoint({
  summary: 'Send a message to a stream or to people.',
  method: 'POST',
  path: '/api/v1/messages',
  auth: 'user',
  webhookBots: true,
  params: {
    type: text(z.string()),
    to: jsonOrText(recipients, { mayHoldNul: true }),
    forged: text(z.string().optional()),
    topic,
    content: text(z.string(), { mayHoldNul: true }),
    widget_content: text(z.string().optional()),
    realm_str: text(z.string().optional()),
    local_id: text(maxCharacters(maxLocalIdLength).optional()),
    queue_id: text(maxCharacters(maxLocalIdLength).optional()),
    read_by_sender: json(z.boolean().optional()),
    delivery_type: text(z.string().optional()),
    deliver_at: text(z.string().optional()),
    tz_guess: text(z.string().optional()),
    sender: text(z.string().optional()),
  },
  response: {
    id: messageId,
    deliver_at: z.string().optional(),
  },
  errors: [
    'INVALID_MESSAGE_TYPE',
    'ONE_STREAM_EXPECTED',
    'STREAM_TYPE_INVALID',
    'RECIPIENTS_TYPE_INVALID',
    'RECIPIENTS_MIXED',
    'NOT_AUTHORIZED_FOR_QUERY',
    'MIRRORED_MESSAGE_INVALID',
    'SCHEDULING_NOT_SUPPORTED',
    'STREAM_MISSING',
    'TOPIC_MISSING',
    ...topicErrors,
    'RECIPIENTS_MISSING',
    'RECIPIENT_EMAIL_INVALID',
    'RECIPIENT_ID_INVALID',
    'RECIPIENT_DEACTIVATED',
    'MESSAGE_RECIPIENTS_TOO_MANY',
    'MESSAGE_EMPTY',
    ...contentErrors,
    'INVALID_STREAM_NAME',
    'STREAM_NAME_TOO_LONG',
    'STREAM_NAME_HAS_NUL',
    'STREAM_DOES_NOT_EXIST',
    'STREAM_ID_DOES_NOT_EXIST',
    'ONLY_ADMINISTRATORS_POST',
    'NEW_MEMBERS_CANNOT_POST',
    'NOT_AUTHORIZED_TO_SEND',
    'PRIVATE_MESSAGES_DISABLED',
    'WIDGET_INVALID',
  ],
})

export const list = endpoint({
  summary: 'Get the messages around an anchor that match a narrow.',
  description:
    'The anchor is returned in addition to the messages before and after it. Messages are not marked as read. A message has to meet all conditions of the narrow; without conditions, the messages that the account received are returned.',
  method: 'GET',
  path: '/api/v1/messages',
  auth: 'user',
  params: {
    anchor: text(z.string().optional()),
    num_before: nonNegativeInteger(z.int()),
    num_after: nonNegativeInteger(z.int()),
    narrow: narrow(narrowTerms.default([])),
    use_first_unread_anchor: json(z.boolean().default(false)),
    client_external_avatar: json(z.boolean().default(false), { legacyAlias: 'client_gravatar' }),
    apply_markdown: json(z.boolean().default(true)),
  },
  response: {
    messages: z.array(fetchedMessage),
    // The anchor of `newest` is beyond the safe integers, so `z.int` would refuse it.
    anchor: z.number(),
    found_anchor: z.boolean(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    history_limited: z.boolean(),
  },
  errors: [
    'ANCHOR_MISSING',
    'INVALID_ANCHOR',
    'TOO_MANY_MESSAGES_REQUESTED',
    'BAD_NARROW',
    'NARROW_TOO_SLOW',
  ],
})

export const matchesNarrow = endpoint({
  summary: 'Find out which of the given messages match a narrow.',
  description:
    'For narrows that a client cannot evaluate itself, such as searches: it asks about messages that it received as events. All messages that the account may read are considered.',
  method: 'GET',
  path: '/api/v1/messages/matches_narrow',
  auth: 'user',
  params: {
    msg_ids: json(maxItems(z.int(), maxMatchedMessages)),
    narrow: narrow(narrowTerms),
  },
  response: {
    messages: z.record(
      z.string(),
      z.strictObject({
        match_content: z.string(),
        match_subject: z.string(),
      }),
    ),
  },
  errors: ['BAD_NARROW', 'NARROW_TOO_SLOW'],
})

export const getRaw = endpoint({
  summary: 'Get a message and its Markdown source.',
  method: 'GET',
  path: '/api/v1/messages/{message_id}',
  auth: 'user',
  params: {
    message_id: path(messageId),
    apply_markdown: json(z.boolean().default(true)),
  },
  response: {
    raw_content: z.string(),
    message: fetchedMessage,
  },
  errors: ['INVALID_MESSAGE'],
})

export const edit = endpoint({
  summary: 'Change the content of a message, or move it to another topic or stream.',
  description: 'Only the sender may change the content.',
  method: 'PATCH',
  path: '/api/v1/messages/{message_id}',
  auth: 'user',
  params: {
    message_id: path(messageId),
    stream_id: nonNegativeInteger(streamId.optional()),
    topic,
    propagate_mode: text(oneOfStrings(propagateModes).default('change_one')),
    send_notification_to_old_thread: json(z.boolean().default(true)),
    send_notification_to_new_thread: json(z.boolean().default(true)),
    content: text(z.string().optional(), { mayHoldNul: true }),
  },
  response: {},
  errors: [
    'EDITING_DISABLED',
    'PROPAGATION_WITHOUT_TOPIC',
    'INVALID_MESSAGE',
    'CANNOT_EDIT_MESSAGE',
    'EDIT_TIME_OVER',
    'NOTHING_TO_EDIT',
    ...topicErrors,
    ...contentErrors,
    'CANNOT_MOVE_MESSAGE',
    'CONTENT_EDITED_WITH_MOVE',
    'INVALID_STREAM_ID',
    'STREAMS_MUST_BE_PUBLIC',
  ],
})

export const remove = endpoint({
  summary: 'Delete a message.',
  description:
    'Administrators may delete any message. Senders may delete their own where the organization allows it.',
  method: 'DELETE',
  path: '/api/v1/messages/{message_id}',
  auth: 'user',
  params: { message_id: path(messageId) },
  response: {},
  errors: ['INVALID_MESSAGE', 'CANNOT_DELETE_MESSAGE', 'DELETE_TIME_OVER', 'MESSAGE_ALREADY_DELETED'],
})

export const history = endpoint({
  summary: 'Get the edit history of a message.',
  method: 'GET',
  path: '/api/v1/messages/{message_id}/history',
  auth: 'user',
  params: { message_id: path(messageId) },
  response: { message_history: z.array(messageSnapshot) },
  errors: ['EDIT_HISTORY_DISABLED', 'INVALID_MESSAGE'],
})

export const changeFlags = endpoint({
  summary: 'Set or clear the flags `read`, `starred` and `collapsed` of messages.',
  description:
    'Messages that the account did not receive are ignored. If it received none of them, the request is refused.',
  method: 'POST',
  path: '/api/v1/messages/flags',
  auth: 'user',
  params: {
    messages: json(maxItems(messageId, maxFlaggedMessages)),
    op: text(oneOfStrings(['add', 'remove'])),
    flag: text(z.string()),
  },
  response: { messages: z.array(messageId) },
  errors: ['INVALID_FLAG', 'FLAG_NOT_EDITABLE', 'INVALID_MESSAGE'],
})

export const addReaction = endpoint({
  summary: 'React to a message with an emoji.',
  description:
    'If the message has a reaction with the same emoji already, the new reaction gets the name that the first one has.',
  method: 'POST',
  path: '/api/v1/messages/{message_id}/reactions',
  auth: 'user',
  params: {
    message_id: path(messageId),
    emoji_name: text(z.string()),
    emoji_code: text(z.string().optional()),
    reaction_type: text(z.string().optional()),
  },
  response: {},
  errors: [
    'INVALID_MESSAGE',
    'EMOJI_DOES_NOT_EXIST',
    'REACTION_EXISTS',
    'INVALID_EMOJI_CODE',
    'INVALID_EMOJI_NAME',
    'INVALID_CUSTOM_EMOJI',
    'INVALID_CUSTOM_EMOJI_NAME',
    'CUSTOM_EMOJI_DEACTIVATED',
    'INVALID_EMOJI_TYPE',
  ],
})

export const removeReaction = endpoint({
  summary: 'Remove a reaction of the account from a message.',
  method: 'DELETE',
  path: '/api/v1/messages/{message_id}/reactions',
  auth: 'user',
  params: {
    message_id: path(messageId),
    emoji_name: text(z.string().optional()),
    emoji_code: text(z.string().optional()),
    reaction_type: text(z.string().default('unicode_emoji')),
  },
  response: {},
  errors: ['INVALID_MESSAGE', 'EMOJI_NOT_NAMED', 'EMOJI_DOES_NOT_EXIST', 'REACTION_DOES_NOT_EXIST'],
})

export const render = endpoint({
  summary: 'Render Markdown as if the caller sent it.',
  method: 'POST',
  path: '/api/v1/messages/render',
  auth: 'user',
  params: { content: text(z.string()) },
  response: { rendered: z.string() },
  errors: ['UNABLE_TO_RENDER'],
})

export const markAllRead = endpoint({
  summary: 'Mark all messages as read.',
  method: 'POST',
  path: '/api/v1/mark_all_as_read',
  auth: 'user',
  params: {},
  response: {},
  errors: [],
})

export const markStreamRead = endpoint({
  summary: 'Mark all messages of a stream as read.',
  method: 'POST',
  path: '/api/v1/mark_stream_as_read',
  auth: 'user',
  params: { stream_id: json(streamId) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})

export const markTopicRead = endpoint({
  summary: 'Mark all messages of a topic as read.',
  method: 'POST',
  path: '/api/v1/mark_topic_as_read',
  auth: 'user',
  params: {
    stream_id: json(streamId),
    topic_name: text(z.string()),
  },
  response: {},
  errors: ['INVALID_STREAM_ID', 'NO_SUCH_TOPIC'],
})
