import { z } from 'zod'
import { userGroupId, userId } from '../ids.ts'

export const userGroup = z.strictObject({
  id: userGroupId,
  name: z.string(),
  description: z.string(),
  members: z.array(userId),
})
export type UserGroup = z.infer<typeof userGroup>

export const maxUserGroupNameLength = 100
export const maxUserGroupDescriptionLength = 1_024
/** Maximum number of members that a request adds or removes. */
export const maxMembersPerRequest = 20_000
