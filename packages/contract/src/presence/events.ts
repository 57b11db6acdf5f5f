import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'
import { presenceReport } from './shape.ts'

export const presenceEvent = eventSchema('presence', {
  user_id: userId,
  email: z.string().optional(),
  server_timestamp: z.number(),
  presence: z.record(z.string(), presenceReport),
})
export type PresenceEvent = z.infer<typeof presenceEvent>
