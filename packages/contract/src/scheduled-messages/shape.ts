import { z } from 'zod'
import { scheduledMessageId, streamId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

/** Maximum number per account: scheduled messages and reminders, including those that could not be sent. */
export const maxScheduledMessages = 1_000
/**
 * Maximum size of an account's texts, rendered texts, widgets and recipients together, because the
 * initial state contains them.
 */
export const maxScheduledBytes = 4_000_000

/** `remind` sends the message only to its author. */
export const deliveryTypes = ['send_later', 'remind'] as const

const common = {
  scheduled_message_id: field(scheduledMessageId, 'The id of the scheduled message.'),
  delivery_type: field(
    z.enum(deliveryTypes),
    '`send_later` for a message, `remind` for a reminder, which the notification bot sends to its author only.',
  ),
  content: field(z.string(), 'The Markdown source.'),
  rendered_content: field(
    z.string(),
    'The content as HTML, as it would look if the message was sent now. It is rendered again when the message is sent.',
  ),
  scheduled_delivery_timestamp: field(z.int(), 'When the message is due, in seconds since 1970-01-01 UTC.'),
  failed: field(
    z.boolean(),
    'Whether the message was refused when it was due. It stays in the list until it is changed or deleted.',
  ),
  failure_message: field(
    z.string().optional(),
    'Why the message was refused. Present only if `failed` is true.',
  ),
}

export const scheduledStreamMessage = object({
  ...common,
  type: field(z.literal('stream'), 'Whether the message is sent to a stream or to people.'),
  to: field(streamId, 'The id of the stream.'),
  topic: field(z.string(), texts.topic),
})

export const scheduledPrivateMessage = object({
  ...common,
  type: field(z.literal('private'), 'Whether the message is sent to a stream or to people.'),
  to: field(
    z.array(userId),
    'The ids of the recipients, without the sender. For a message to oneself, the id of the sender.',
  ),
})

/** A message that is sent at a later time, as its author sees it. */
export const scheduledMessage = z.discriminatedUnion('type', [
  scheduledStreamMessage,
  scheduledPrivateMessage,
])
export type ScheduledMessage = z.infer<typeof scheduledMessage>
