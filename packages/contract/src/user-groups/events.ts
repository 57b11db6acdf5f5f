import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userGroupId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import { userGroup } from './shape.ts'

const user_ids = z.array(userId)
const subgroupIds = z.array(userGroupId)

export const userGroupEvent = z.discriminatedUnion('op', [
  eventSchema('user_group', {
    op: field(z.literal('add'), 'A user group was created.'),
    group: field(userGroup, 'The user group.'),
  }),
  eventSchema('user_group', {
    op: field(z.literal('update'), 'The name or the description of a user group changed.'),
    group_id: field(userGroupId, texts.userGroupId),
    data: field(
      object({
        name: field(z.string().optional(), 'The new name. Absent if it did not change.'),
        description: field(z.string().optional(), 'The new description. Absent if it did not change.'),
      }),
      'The changed fields with their new values.',
    ),
  }),
  eventSchema('user_group', {
    op: field(z.literal('add_members'), 'Members were added to a user group.'),
    group_id: field(userGroupId, texts.userGroupId),
    user_ids: field(user_ids, 'The ids of the new members, ascending.'),
  }),
  eventSchema('user_group', {
    op: field(z.literal('remove_members'), 'Members were removed from a user group.'),
    group_id: field(userGroupId, texts.userGroupId),
    user_ids: field(user_ids, 'The ids of the former members, ascending.'),
  }),
  eventSchema('user_group', {
    op: field(z.literal('add_subgroups'), 'Sub-groups were added to a user group. Generation 371 only.'),
    group_id: field(userGroupId, texts.userGroupId),
    direct_subgroup_ids: field(subgroupIds, 'The ids of the new sub-groups, ascending.'),
  }),
  eventSchema('user_group', {
    op: field(
      z.literal('remove_subgroups'),
      'Sub-groups were removed from a user group. Generation 371 only.',
    ),
    group_id: field(userGroupId, texts.userGroupId),
    direct_subgroup_ids: field(subgroupIds, 'The ids of the former sub-groups, ascending.'),
  }),
  eventSchema('user_group', {
    op: field(z.literal('remove'), 'A user group was deleted.'),
    group_id: field(userGroupId, texts.userGroupId),
  }),
])
export type UserGroupEvent = z.infer<typeof userGroupEvent>
