import { z } from 'zod'
import { scheduledMessageId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, jsonOrText, path, text } from '../kernel/params.ts'
import { destinationErrors, messageErrors, recipients, topic } from '../messages/outgoing-message.ts'
import { maxContentBytes, maxTopicLength } from '../plain/limits.ts'
import { maxScheduledMessages, scheduledMessage } from './shape.ts'

const type = '`stream` or `private`. The later names `channel` and `direct` are accepted.'
const to =
  'For a stream message, the id or the name of the stream. For a private message, a list of user ids or of addresses.'
const content = `The Markdown source, of up to ${maxContentBytes} bytes. A longer text is refused if the sender is a person, and truncated if it is a bot.`
const aboutTopic = `The topic of a stream message, of up to ${maxTopicLength} characters.`
const time = 'When to send the message, in seconds since 1970-01-01 UTC. It must be in the future.'

export const list = endpoint({
  summary: 'List the scheduled messages and reminders of the account.',
  description:
    'The list is ordered by time. A message is removed from the list when it is sent. If it could not be sent, it stays in the list with `failed` true.',
  method: 'GET',
  path: '/api/v1/scheduled_messages',
  auth: 'user',
  params: {},
  response: {
    scheduled_messages: field(
      z.array(scheduledMessage),
      'The scheduled messages and reminders, ordered by their time and id.',
    ),
  },
  errors: [],
})

export const create = endpoint({
  summary: 'Schedule a message.',
  description: `The message is sent when it is due, with the permissions that the sender has at that time. If it is refused, the notification bot notifies the sender. An account has at most ${maxScheduledMessages} scheduled messages.`,
  method: 'POST',
  path: '/api/v1/scheduled_messages',
  auth: 'user',
  params: {
    type: text(z.string(), type),
    to: jsonOrText(recipients, to, { allowsNul: true }),
    content: text(z.string(), content, { allowsNul: true }),
    topic: topic(aboutTopic),
    scheduled_delivery_timestamp: json(z.int(), time),
    read_by_sender: json(
      z.boolean().optional(),
      'Whether the sent message is marked as read for its sender. By default it is if the scheduling program is an interactive client.',
    ),
  },
  response: { scheduled_message_id: field(scheduledMessageId, 'The id of the scheduled message.') },
  errors: [
    ...destinationErrors,
    ...messageErrors,
    'DELIVERY_TIME_INVALID',
    'SCHEDULED_TIME_PAST',
    'TOO_MANY_SCHEDULED_MESSAGES',
    'SCHEDULED_MESSAGES_TOO_LARGE',
  ],
})

export const edit = endpoint({
  summary: 'Change a scheduled message or a reminder.',
  description:
    'Absent parameters change nothing. A message that could not be sent is retried, for which it requires a new time.',
  method: 'PATCH',
  path: '/api/v1/scheduled_messages/{scheduled_message_id}',
  auth: 'user',
  params: {
    scheduled_message_id: path(scheduledMessageId, 'The id of the scheduled message.'),
    type: text(z.string().optional(), `${type} Requires \`to\`, and \`topic\` for \`stream\`.`),
    to: jsonOrText(recipients, to, { allowsNul: true }),
    content: text(z.string().optional(), content, { allowsNul: true }),
    topic: topic(aboutTopic),
    scheduled_delivery_timestamp: json(
      z.int().optional(),
      `${time} Required if the message was refused before.`,
    ),
  },
  response: {},
  errors: [
    ...destinationErrors,
    ...messageErrors,
    'NOTHING_TO_EDIT',
    'SCHEDULED_RECIPIENT_MISSING',
    'SCHEDULED_TOPIC_MISSING',
    'DELIVERY_TIME_INVALID',
    'SCHEDULED_TIME_PAST',
    'SCHEDULED_MESSAGE_UNKNOWN',
    'REMINDER_RECIPIENT_FIXED',
    'TOO_MANY_SCHEDULED_MESSAGES',
    'SCHEDULED_MESSAGES_TOO_LARGE',
  ],
})

export const remove = endpoint({
  summary: 'Delete a scheduled message or a reminder.',
  method: 'DELETE',
  path: '/api/v1/scheduled_messages/{scheduled_message_id}',
  auth: 'user',
  params: { scheduled_message_id: path(scheduledMessageId, 'The id of the scheduled message.') },
  response: {},
  errors: ['SCHEDULED_MESSAGE_UNKNOWN'],
})
