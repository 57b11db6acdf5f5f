import { z } from 'zod'
import { userGroupId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

export const userGroup = object({
  id: field(userGroupId, texts.userGroupId),
  name: field(z.string(), 'The name of the group.'),
  description: field(z.string(), 'The description of the group.'),
  members: field(z.array(userId), 'The user ids of the members, ascending. Deactivated users are included.'),
})
export type UserGroup = z.infer<typeof userGroup>

export const maxUserGroupNameLength = 100
export const maxUserGroupDescriptionLength = 1_024
/** Maximum number of members that a request adds or removes. */
export const maxMembersPerRequest = 20_000
