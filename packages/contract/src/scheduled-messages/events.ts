import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { scheduledMessageId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field } from '../kernel/field.ts'
import { scheduledMessage } from './shape.ts'

export const scheduledMessagesEvent = z.discriminatedUnion('op', [
  eventSchema('scheduled_messages', {
    op: field(z.literal('add'), texts.operation),
    scheduled_messages: field(z.array(scheduledMessage), 'The new scheduled messages.'),
  }),
  eventSchema('scheduled_messages', {
    op: field(z.literal('update'), texts.operation),
    scheduled_message: field(scheduledMessage, 'The whole message after the change.'),
  }),
  eventSchema('scheduled_messages', {
    op: field(z.literal('remove'), texts.operation),
    scheduled_message_id: field(scheduledMessageId, 'The id of the scheduled message.'),
  }),
])
export type ScheduledMessagesEvent = z.infer<typeof scheduledMessagesEvent>
