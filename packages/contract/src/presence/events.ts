import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field } from '../kernel/field.ts'
import { presenceReport } from './shape.ts'

export const presenceEvent = eventSchema('presence', {
  user_id: field(userId, texts.userId),
  email: field(z.string().optional(), `${texts.email} Absent in queues with \`slim_presence\`.`),
  server_timestamp: field(z.number(), texts.serverTimestamp),
  presence: field(
    z.record(z.string(), presenceReport),
    'The new report, by the name of the program. There is exactly one.',
  ),
})
export type PresenceEvent = z.infer<typeof presenceEvent>
