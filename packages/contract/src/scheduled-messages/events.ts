import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { scheduledMessageId } from '../ids.ts'
import { scheduledMessage } from './shape.ts'

export const scheduledMessagesEvent = z.discriminatedUnion('op', [
  eventSchema('scheduled_messages', {
    op: z.literal('add'),
    scheduled_messages: z.array(scheduledMessage),
  }),
  eventSchema('scheduled_messages', { op: z.literal('update'), scheduled_message: scheduledMessage }),
  eventSchema('scheduled_messages', { op: z.literal('remove'), scheduled_message_id: scheduledMessageId }),
])
export type ScheduledMessagesEvent = z.infer<typeof scheduledMessagesEvent>
