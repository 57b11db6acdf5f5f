import { z } from 'zod'
import { messageId, streamId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { integer, json, jsonOrText, nonNegativeInteger, path, text } from '../kernel/params.ts'
import { dateTime, maxCharacters, maxItems, oneOfStrings } from '../kernel/schemas.ts'
import { conversation, maxConversationsPerFetch } from './conversation.ts'
import { messagePage } from './message-page.ts'
import { narrow, narrowTerms } from './narrow.ts'
import {
  contentErrors,
  destinationErrors,
  messageErrors,
  recipients,
  topic,
  topicErrors,
} from './outgoing-message.ts'
import { fetchedMessage, messageSnapshot, propagateModes } from './shape.ts'
import { maxSubmessageTypeLength } from './widget.ts'

/** Limits the data that is stored with an event. Clients in use send far shorter ids. */
const maxLocalIdLength = 10_000
const maxFlaggedMessages = 50_000
/** The server accepts no URL that is long enough for more ids. */
const maxMatchedMessages = 10_000

/**
 * Absent if `delivery_type` schedules the message. The TypeScript type ignores this case, because
 * nearly all callers send immediately.
 */
const idOfSentMessage = messageId.optional() as unknown as typeof messageId

export const send = endpoint({
  summary: 'Send a message to a stream or to people.',
  method: 'POST',
  path: '/api/v1/messages',
  auth: 'user',
  webhookBots: true,
  // A client that was restarted has a new queue when it retries the request.
  ignoredInRetries: ['queue_id'],
  params: {
    type: text(z.string()),
    to: jsonOrText(recipients, { allowsNul: true }),
    forged: text(z.string().optional()),
    topic: topic(),
    content: text(z.string(), { allowsNul: true }),
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
    id: idOfSentMessage,
    deliver_at: z.string().optional(),
  },
  errors: [
    ...destinationErrors,
    ...messageErrors,
    'BOT_POSTS_ONLY_SIGNED',
    'NOT_AUTHORIZED_FOR_QUERY',
    'MIRRORED_MESSAGE_INVALID',
    'DELIVERY_TIME_MISSING',
    'DELIVERY_TIME_INVALID',
    'DELIVERY_TIME_PAST',
    'REMINDER_NOT_FOR_STREAM',
    'TOO_MANY_SCHEDULED_MESSAGES',
    'SCHEDULED_MESSAGES_TOO_LARGE',
    'WIDGET_INVALID',
  ],
})

export const list = endpoint({
  summary: 'Get the messages around an anchor that match a narrow.',
  description:
    'The anchor is returned in addition to the messages before and after it. If the polls and to-do lists in the result have more than several megabytes of submessages, fewer messages than requested are returned: those nearest to the anchor. Messages are not marked as read. A message has to meet all conditions of the narrow; without conditions, the messages that the account received are returned.',
  method: 'GET',
  path: '/api/v1/messages',
  auth: 'user',
  params: {
    anchor: text(z.string().optional()),
    anchor_date: text(dateTime().optional()),
    num_before: nonNegativeInteger(z.int()),
    num_after: nonNegativeInteger(z.int()),
    narrow: narrow(narrowTerms.default([])),
    use_first_unread_anchor: json(z.boolean().default(false)),
    client_external_avatar: json(z.boolean().default(false), { legacyAlias: 'client_gravatar' }),
    apply_markdown: json(z.boolean().default(true)),
  },
  response: messagePage,
  errors: [
    'ANCHOR_MISSING',
    'INVALID_ANCHOR',
    'TOO_MANY_MESSAGES_REQUESTED',
    'BAD_NARROW',
    'NARROW_TOO_SLOW',
  ],
})

export const conversations = endpoint({
  summary: 'List the conversations of the account, the one with the newest message first.',
  description:
    'A conversation is a topic of a stream, or a set of people. The list contains every conversation in which the account received a message, like `GET /messages` without a narrow. It includes muted streams and topics, streams that the account left or that were archived, and conversations of other messages that it starred.',
  method: 'GET',
  path: '/api/v1/users/me/conversations',
  auth: 'user',
  params: {
    before: integer(z.int().optional()),
    limit: nonNegativeInteger(
      z
        .int()
        .refine((limit) => limit >= 1 && limit <= maxConversationsPerFetch, {
          error: `{V} is not between 1 and ${maxConversationsPerFetch}`,
        })
        .meta({ minimum: 1, maximum: maxConversationsPerFetch })
        .default(100),
    ),
  },
  response: {
    conversations: z.array(conversation),
    found_oldest: z.boolean(),
    next_before: z.int().optional(),
  },
  errors: ['NARROW_TOO_SLOW'],
})

export const matchesNarrow = endpoint({
  summary: 'Find out which of the given messages match a narrow.',
  description:
    'Clients use this for messages that they received as events, and for narrows that they cannot evaluate themselves, such as searches. Every message that the account may read can match.',
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
  errors: ['BAD_NARROW', 'NARROW_TOO_SLOW', 'MESSAGES_TOO_LARGE'],
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
    topic: topic(),
    propagate_mode: text(oneOfStrings(propagateModes).default('change_one')),
    send_notification_to_old_thread: json(z.boolean().default(true)),
    send_notification_to_new_thread: json(z.boolean().default(true)),
    content: text(z.string().optional(), { allowsNul: true }),
  },
  response: {},
  errors: [
    'EDITING_DISABLED',
    'PROPAGATION_WITHOUT_TOPIC',
    'INVALID_MESSAGE',
    'CANNOT_EDIT_MESSAGE',
    'EDIT_TIME_OVER',
    'NOTHING_TO_EDIT',
    'EDITS_TOO_MANY',
    'EDITS_TOO_LARGE',
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
    'If the message already has a reaction with the same emoji, the new reaction gets the name of the first one.',
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
    'OWN_REACTIONS_TOO_MANY',
    'REACTIONS_TOO_MANY',
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

export const addSubmessage = endpoint({
  summary: 'Add to an interactive message, such as a poll.',
  description:
    'A poll or a to-do list begins with a submessage of its sender; after that everyone who may see the message now can vote, add options and tasks, and complete tasks. The content of a submessage to a poll or to-do list must be one of the actions of that widget.',
  method: 'POST',
  path: '/api/v1/submessage',
  auth: 'user',
  params: {
    message_id: json(messageId),
    msg_type: text(maxCharacters(maxSubmessageTypeLength)),
    content: text(z.string()),
  },
  response: {},
  errors: [
    'INVALID_MESSAGE',
    'SUBMESSAGE_NOT_ALLOWED',
    'SUBMESSAGE_NOT_JSON',
    'SUBMESSAGE_TOO_LONG',
    'QUESTION_OF_OTHERS',
    'WIDGET_ACTION_UNKNOWN',
    'SUBMESSAGES_TOO_MANY',
    'OWN_SUBMESSAGES_TOO_MANY',
  ],
})

export const render = endpoint({
  summary: 'Render Markdown as if the caller sent it.',
  method: 'POST',
  path: '/api/v1/messages/render',
  auth: 'user',
  params: { content: text(z.string()) },
  response: { rendered: z.string() },
  errors: ['CONTENT_TOO_LONG', 'UNABLE_TO_RENDER'],
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
