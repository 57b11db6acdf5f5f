import { z } from 'zod'
import { userId } from '../ids.ts'
import { presenceReport } from '../shapes/presence.ts'
import { kind } from './kind.ts'

export const presenceEvent = kind('presence', {
  user_id: userId,
  email: z.string().optional().meta({ description: 'Not in queues with `slim_presence`' }),
  server_timestamp: z.number().meta({ description: 'Seconds since 1970, with a fraction' }),
  presence: z.record(z.string(), presenceReport).meta({ description: 'The report of one program' }),
})
export type PresenceEvent = z.infer<typeof presenceEvent>
