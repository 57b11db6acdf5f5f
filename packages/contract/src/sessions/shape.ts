import { z } from 'zod'
import { sessionId } from '../ids.ts'

export const session = z.strictObject({
  id: sessionId,
  created_at: z.int(),
  last_seen_at: z.int(),
  program: z.string(),
  address: z.string(),
  is_trusted: z.boolean(),
  is_current: z.boolean(),
})
export type Session = z.infer<typeof session>
