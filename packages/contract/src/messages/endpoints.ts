import { z } from 'zod'
import { messageId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { integer, json, jsonOrText, nonNegativeInteger, path, text } from '../kernel/params.ts'
import { dateTime, maxCharacters, maxItems, oneOfStrings } from '../kernel/schemas.ts'
import { maxContentBytes, maxTopicLength } from '../plain/limits.ts'
import { conversation, maxConversationsPerFetch } from './conversation.ts'
import { messageFetch, messagePage } from './message-page.ts'
import { narrow, narrowTerms } from './narrow.ts'
import {
  contentErrors,
  destinationErrors,
  messageErrors,
  recipients,
  topic,
  topicErrors,
} from './outgoing-message.ts'
import { fetchedMessage, messageSnapshot, propagateModes, reactionEmojiFields, submessage } from './shape.ts'
import { maxSubmessageBytes, maxSubmessageTypeLength } from './widget.ts'

const content = `The Markdown source, of up to ${maxContentBytes} bytes. A longer text is refused if the sender is a person, and truncated if it is a bot.`
const newTopic = `up to ${maxTopicLength} characters. A longer topic is refused if the sender is a person, and truncated if it is a bot.`

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

const { anchor, anchor_date, num_before, num_after } = messageFetch.shape
const { emoji_name, emoji_code } = reactionEmojiFields

export const send = endpoint({
  summary: 'Send a message to a stream or to people.',
  method: 'POST',
  path: '/api/v1/messages',
  auth: 'user',
  webhookBots: true,
  // A client that was restarted has a new queue when it retries the request.
  ignoredInRetries: ['queue_id'],
  params: {
    type: text(
      z.string(),
      '`stream` for a message to a stream, `private` for one to people. The later names `channel` and `direct` are accepted.',
    ),
    to: jsonOrText(
      recipients,
      'For a stream message, the name or the id of the stream; a stream named `42` is written `"42"`. For a private message, a list of user ids or of addresses.',
      { allowsNul: true },
    ),
    forged: text(z.string().optional(), 'Always refused. Nobody may send messages in the name of others.'),
    topic: topic(`The topic of a stream message, of ${newTopic}`),
    content: text(z.string(), content, { allowsNul: true }),
    widget_content: text(z.string().optional(), 'JSON text that describes an interactive message.'),
    realm_str: text(
      z.string().optional(),
      "The subdomain of the caller's organization. Another one is refused.",
    ),
    local_id: text(
      maxCharacters(maxLocalIdLength).optional(),
      'An identifier that the client chooses. The `message` event in the queue `queue_id` repeats it.',
    ),
    queue_id: text(
      maxCharacters(maxLocalIdLength).optional(),
      'The id of the event queue that gets `local_id` back.',
    ),
    read_by_sender: json(
      z.boolean().optional(),
      'Whether the message is marked as read for its sender. By default it is if the sending program is an interactive client.',
    ),
    delivery_type: text(
      z.string().optional(),
      '`send_later` schedules the message; `remind` schedules a private message of the notification bot to the sender. All other values send the message immediately.',
    ),
    deliver_at: text(
      z.string().optional(),
      'When to deliver a scheduled message: ISO 8601, a date as people write it, or Unix seconds. Required with `send_later` and `remind`.',
    ),
    tz_guess: text(
      z.string().optional(),
      "The time zone of a `deliver_at` without a time zone, such as `Europe/Berlin`. By default the one in the sender's profile, otherwise UTC.",
    ),
    sender: text(z.string().optional(), 'Always refused. It is meant for mirrors of other systems.'),
  },
  response: {
    id: field(idOfSentMessage, 'The id of the new message. Absent if the message was scheduled.'),
    deliver_at: field(
      z.string().optional(),
      'When the message will be delivered, with the offset of its time zone. Present only if the message was scheduled.',
    ),
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
    anchor: text(
      z.string().optional(),
      `${anchor.description} Required unless \`use_first_unread_anchor\` is true.`,
    ),
    anchor_date: text(dateTime().optional(), anchor_date.description),
    num_before: nonNegativeInteger(z.int(), num_before.description),
    num_after: nonNegativeInteger(z.int(), num_after.description),
    narrow: narrow(narrowTerms.default([]), texts.narrowTerms),
    use_first_unread_anchor: json(
      z.boolean().default(false),
      'Deprecated. True is the same as `anchor=first_unread`.',
    ),
    client_external_avatar: json(z.boolean().default(false), texts.clientExternalAvatar, {
      legacyAlias: 'client_gravatar',
    }),
    apply_markdown: json(z.boolean().default(true), texts.applyMarkdown),
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
    before: integer(
      z.int().optional(),
      'Returns only conversations whose newest message has a lower id. To get the next page, use `next_before` of the previous one. If absent, the first page is returned.',
    ),
    limit: nonNegativeInteger(
      z
        .int()
        .refine((limit) => limit >= 1 && limit <= maxConversationsPerFetch, {
          error: `{V} is not between 1 and ${maxConversationsPerFetch}`,
        })
        .meta({ minimum: 1, maximum: maxConversationsPerFetch })
        .default(100),
      `How many conversations to return, at most ${maxConversationsPerFetch}. A page may have fewer even if there are older conversations.`,
    ),
  },
  response: {
    conversations: field(z.array(conversation), 'The conversations, the one with the newest message first.'),
    found_oldest: field(z.boolean(), 'Whether there are no older conversations.'),
    next_before: field(
      z.int().optional(),
      'The `before` of the next page. Absent if there are no older conversations.',
    ),
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
    msg_ids: json(maxItems(z.int(), maxMatchedMessages), 'The ids of the messages to test.'),
    narrow: narrow(narrowTerms, `${texts.narrowTerms} An empty list matches every message.`),
  },
  response: {
    messages: field(
      z.record(
        z.string(),
        object({
          match_content: field(
            z.string(),
            'The content as HTML, with matches in `<span class="highlight">`.',
          ),
          match_subject: field(z.string(), 'The topic as HTML, with matches in `<span class="highlight">`.'),
        }),
      ),
      'The messages that match the narrow, by id. Messages that do not match are absent.',
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
    message_id: path(messageId, texts.messageId),
    apply_markdown: json(z.boolean().default(true), texts.applyMarkdown),
  },
  response: {
    raw_content: field(z.string(), 'The Markdown source of the message.'),
    message: field(fetchedMessage, 'The message.'),
  },
  errors: ['INVALID_MESSAGE'],
})

export const edit = endpoint({
  summary: 'Change the content of a message, or move it to another topic or stream.',
  description:
    'Only the sender may change the content. A topic is resolved by putting `✔ ` before its name with `change_all`, and opened again by taking it away; `resolve_topics_policy` says who may do so.',
  method: 'PATCH',
  path: '/api/v1/messages/{message_id}',
  auth: 'user',
  params: {
    message_id: path(messageId, texts.messageId),
    stream_id: nonNegativeInteger(
      streamId.optional(),
      'The id of the stream to move the message to. If absent, the message stays in its stream.',
    ),
    topic: topic(`The new topic, of ${newTopic} Unchanged if absent.`),
    propagate_mode: text(
      oneOfStrings(propagateModes).default('change_one'),
      'Which messages a new topic or stream applies to: `change_one` only this message, `change_later` also later messages in its topic, `change_all` the whole topic.',
    ),
    send_notification_to_old_thread: json(
      z.boolean().default(true),
      'Whether a move to another stream is announced in the old topic.',
    ),
    send_notification_to_new_thread: json(
      z.boolean().default(true),
      'Whether a move to another stream is announced in the new topic.',
    ),
    content: text(z.string().optional(), `${content} Unchanged if absent.`, { allowsNul: true }),
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
    'CANNOT_RESOLVE_TOPIC',
    'CANNOT_MOVE_MESSAGE',
    'CANNOT_START_TOPICS',
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
  params: { message_id: path(messageId, texts.messageId) },
  response: {},
  errors: ['INVALID_MESSAGE', 'CANNOT_DELETE_MESSAGE', 'DELETE_TIME_OVER', 'MESSAGE_ALREADY_DELETED'],
})

export const readReceipts = endpoint({
  summary: 'List who has read a message.',
  description:
    'This endpoint is from a later feature level. It lists present subscribers of the stream, or the people of the conversation, without the sender, bots, and people who switched `send_read_receipts` off or muted the sender. Who has subscribed since the message arrived is not listed.',
  method: 'GET',
  path: '/api/v1/messages/{message_id}/read_receipts',
  auth: 'user',
  params: { message_id: path(messageId, texts.messageId) },
  response: {
    user_ids: field(z.array(userId), 'The ids of the people who have read the message, ascending.'),
  },
  errors: ['READ_RECEIPTS_DISABLED', 'INVALID_MESSAGE', 'TOO_MANY_READERS'],
})

export const history = endpoint({
  summary: 'Get the edit history of a message.',
  method: 'GET',
  path: '/api/v1/messages/{message_id}/history',
  auth: 'user',
  params: { message_id: path(messageId, texts.messageId) },
  response: {
    message_history: field(
      z.array(messageSnapshot),
      'The message as it was sent and after each edit, oldest first. Only the newest versions if there are more than edits may make.',
    ),
  },
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
    messages: json(maxItems(messageId, maxFlaggedMessages), 'The ids of the messages.'),
    op: text(oneOfStrings(['add', 'remove']), '`add` sets the flag, `remove` clears it.'),
    flag: text(z.string(), '`read`, `starred` or `collapsed`.'),
  },
  response: { messages: field(z.array(messageId), 'The ids from the request.') },
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
    message_id: path(messageId, texts.messageId),
    emoji_name: text(z.string(), emoji_name.description),
    emoji_code: text(z.string().optional(), `${emoji_code.description} Derived from the name if absent.`),
    reaction_type: text(
      z.string().optional(),
      '`unicode_emoji`, `realm_emoji` for a custom emoji, or `chat_extra_emoji`. Derived from the name if absent.',
    ),
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
    message_id: path(messageId, texts.messageId),
    emoji_name: text(
      z.string().optional(),
      `${emoji_name.description} Required unless \`emoji_code\` is given.`,
    ),
    emoji_code: text(z.string().optional(), `${emoji_code.description} Derived from the name if absent.`),
    reaction_type: text(
      z.string().default('unicode_emoji'),
      '`unicode_emoji`, `realm_emoji` or `chat_extra_emoji`. It is not derived from the name, so it is required for custom emoji.',
    ),
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
    message_id: json(messageId, texts.messageId),
    msg_type: text(
      maxCharacters(maxSubmessageTypeLength),
      `${submessage.shape.msg_type.description} At most ${maxSubmessageTypeLength} characters.`,
    ),
    content: text(z.string(), `${submessage.shape.content.description} At most ${maxSubmessageBytes} bytes.`),
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
  idempotent: false,
  params: { content: text(z.string(), 'The Markdown source.') },
  response: { rendered: field(z.string(), 'The rendered HTML.') },
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
  params: { stream_id: json(streamId, texts.streamId) },
  response: {},
  errors: ['INVALID_STREAM_ID'],
})

export const markTopicRead = endpoint({
  summary: 'Mark all messages of a topic as read.',
  method: 'POST',
  path: '/api/v1/mark_topic_as_read',
  auth: 'user',
  params: {
    stream_id: json(streamId, texts.streamId),
    topic_name: text(z.string(), 'The topic. If it is blank, the whole stream is marked as read.'),
  },
  response: {},
  errors: ['INVALID_STREAM_ID', 'NO_SUCH_TOPIC'],
})
