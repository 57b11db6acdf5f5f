import { z } from 'zod'
import { scheduledMessageId, streamId, userId } from '../ids.ts'

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
  scheduled_message_id: scheduledMessageId,
  delivery_type: z.enum(deliveryTypes),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  failure_message: z.string().optional(),
}

export const scheduledStreamMessage = z.strictObject({
  ...common,
  type: z.literal('stream'),
  to: streamId,
  topic: z.string(),
})

export const scheduledPrivateMessage = z.strictObject({
  ...common,
  type: z.literal('private'),
  to: z.array(userId),
})

/** A message that is sent at a later time, as its author sees it. */
export const scheduledMessage = z.discriminatedUnion('type', [
  scheduledStreamMessage,
  scheduledPrivateMessage,
])
export type ScheduledMessage = z.infer<typeof scheduledMessage>
