import { z } from 'zod'

export const maxStatusTextLength = 60

/** The status that a user set for themselves. */
export const userStatus = z.strictObject({
  away: z.literal(true).optional(),
  status_text: z.string().optional(),
})
export type UserStatus = z.infer<typeof userStatus>

/** Statuses by user id. Users without a status are absent. */
export const statusByUser = z.record(z.string(), userStatus)
