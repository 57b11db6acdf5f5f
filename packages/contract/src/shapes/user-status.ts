import { z } from 'zod'

export const maxStatusText = 60

/** What someone says of themselves for now. */
export const userStatus = z.strictObject({
  away: z.literal(true).optional(),
  status_text: z.string().optional(),
})
export type UserStatus = z.infer<typeof userStatus>

/** By the ids of users; those who say nothing are not there. */
export const statusByUser = z.record(z.string(), userStatus)
