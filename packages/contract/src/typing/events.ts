import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'

export const typingOperations = ['start', 'stop'] as const

const participant = z.strictObject({ user_id: userId, email: z.string() })

export const typingEvent = eventSchema('typing', {
  op: z.enum(typingOperations),
  sender: participant,
  recipients: z.array(participant),
})
export type TypingEvent = z.infer<typeof typingEvent>
