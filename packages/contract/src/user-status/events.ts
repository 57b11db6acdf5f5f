import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'

export const userStatusEvent = eventSchema('user_status', {
  user_id: userId,
  away: z.boolean().optional(),
  status_text: z.string().optional(),
})
export type UserStatusEvent = z.infer<typeof userStatusEvent>
