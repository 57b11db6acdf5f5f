import { z } from 'zod'
import { userId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

/** Maximum number per account. Events repeat the whole list. */
export const maxMutedUsers = 1_000

export const mutedUsers = z.array(
  object({
    id: field(userId, 'The id of the muted user.'),
    timestamp: field(z.int(), 'When the user was muted, in seconds since 1970.'),
  }),
)
