import type { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { mutedUsers } from './shape.ts'

export const mutedUsersEvent = eventSchema('muted_users', {
  muted_users: field(mutedUsers, 'All muted users of this account, after the change.'),
})
export type MutedUsersEvent = z.infer<typeof mutedUsersEvent>
