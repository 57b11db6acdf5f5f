import { z } from 'zod'
import { field, object } from '../kernel/field.ts'

export const maxStatusTextLength = 60

/** The status that a user set for themselves. */
export const userStatus = object({
  away: field(z.literal(true).optional(), 'True if the user is marked as unavailable. Absent otherwise.'),
  status_text: field(z.string().optional(), "The user's status text. Absent if there is none."),
})
export type UserStatus = z.infer<typeof userStatus>

/** Statuses by user id. Users without a status are absent. */
export const statusByUser = z.record(z.string(), userStatus)
