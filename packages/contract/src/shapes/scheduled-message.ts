import { z } from 'zod'
import { scheduledMessageId, streamId, userId } from '../ids.ts'

/** Scheduled messages and reminders of one account, those that could not be sent included. */
export const maxScheduledMessages = 1_000
/** Bytes of their texts, rendered texts, widgets and recipients, which the registered state contains. */
export const maxScheduledBytes = 4_000_000

/** A reminder goes to its author only. */
export const deliveryTypes = ['send_later', 'remind'] as const
export type DeliveryType = (typeof deliveryTypes)[number]

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
