import { z } from 'zod'
import { userId } from '../ids.ts'
import { kind } from './kind.ts'

export const userStatusEvent = kind('user_status', {
  user_id: userId,
  away: z.boolean().optional(),
  status_text: z.string().optional(),
})
export type UserStatusEvent = z.infer<typeof userStatusEvent>
