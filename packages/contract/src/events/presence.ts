import { z } from 'zod'
import { userId } from '../ids.ts'
import { presenceReport } from '../shapes/presence.ts'
import { kind } from './kind.ts'

export const presenceEvent = kind('presence', {
  user_id: userId,
  email: z.string().optional(),
  server_timestamp: z.number(),
  presence: z.record(z.string(), presenceReport),
})
export type PresenceEvent = z.infer<typeof presenceEvent>
