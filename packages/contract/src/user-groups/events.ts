import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userGroupId, userId } from '../ids.ts'
import { userGroup } from './shape.ts'

const user_ids = z.array(userId)

export const userGroupEvent = z.discriminatedUnion('op', [
  eventSchema('user_group', { op: z.literal('add'), group: userGroup }),
  eventSchema('user_group', {
    op: z.literal('update'),
    group_id: userGroupId,
    data: userGroup.pick({ name: true, description: true }).partial(),
  }),
  eventSchema('user_group', { op: z.literal('add_members'), group_id: userGroupId, user_ids }),
  eventSchema('user_group', { op: z.literal('remove_members'), group_id: userGroupId, user_ids }),
  eventSchema('user_group', { op: z.literal('remove'), group_id: userGroupId }),
])
export type UserGroupEvent = z.infer<typeof userGroupEvent>
