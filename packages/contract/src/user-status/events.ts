import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field } from '../kernel/field.ts'

export const userStatusEvent = eventSchema('user_status', {
  user_id: field(userId, texts.userId),
  away: field(
    z.boolean().optional(),
    'Whether the user is marked as unavailable. Absent if it did not change.',
  ),
  status_text: field(
    z.string().optional(),
    'The new status text. Empty if it was cleared, absent if it did not change.',
  ),
})
export type UserStatusEvent = z.infer<typeof userStatusEvent>
