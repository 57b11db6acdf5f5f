import { z } from 'zod'
import { scheduledMessageId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { json, jsonOrText, path, text } from '../kernel/params.ts'
import { destinationErrors, messageErrors, recipients, topic } from '../messages/outgoing-message.ts'
import { maxScheduledMessages, scheduledMessage } from './shape.ts'

export const list = endpoint({
  summary: 'List the scheduled messages and reminders of the account.',
  description:
    'The list is ordered by time. A message is removed from the list when it is sent. If it could not be sent, it stays in the list with `failed` true.',
  method: 'GET',
  path: '/api/v1/scheduled_messages',
  auth: 'user',
  params: {},
  response: { scheduled_messages: z.array(scheduledMessage) },
  errors: [],
})

export const create = endpoint({
  summary: 'Schedule a message.',
  description: `The message is sent when it is due, with the permissions that the sender has at that time. If it is refused, the notification bot notifies the sender. An account has at most ${maxScheduledMessages} scheduled messages.`,
  method: 'POST',
  path: '/api/v1/scheduled_messages',
  auth: 'user',
  params: {
    type: text(z.string()),
    to: jsonOrText(recipients, { allowsNul: true }),
    content: text(z.string(), { allowsNul: true }),
    topic,
    scheduled_delivery_timestamp: json(z.int()),
    read_by_sender: json(z.boolean().optional()),
  },
  response: { scheduled_message_id: scheduledMessageId },
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
    scheduled_message_id: path(scheduledMessageId),
    type: text(z.string().optional()),
    to: jsonOrText(recipients, { allowsNul: true }),
    content: text(z.string().optional(), { allowsNul: true }),
    topic,
    scheduled_delivery_timestamp: json(z.int().optional()),
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
  params: { scheduled_message_id: path(scheduledMessageId) },
  response: {},
  errors: ['SCHEDULED_MESSAGE_UNKNOWN'],
})
