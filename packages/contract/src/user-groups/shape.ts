import { z } from 'zod'
import { userGroupId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'

export const userGroup = object({
  id: field(userGroupId, texts.userGroupId),
  name: field(z.string(), 'The name of the group.'),
  description: field(z.string(), 'The description of the group.'),
  direct_subgroup_ids: field(
    z.array(userGroupId).optional(),
    'The ids of the sub-groups, ascending. Their members are members of the group too. Generation 371 only.',
  ),
  is_system_group: field(
    z.boolean().optional(),
    'Whether the members follow from the roles of accounts. Generation 371 only, where these groups are listed.',
  ),
  members: field(z.array(userId), 'The user ids of the members, ascending. Deactivated users are included.'),
})
export type UserGroup = z.infer<typeof userGroup>

export const maxUserGroupNameLength = 100
export const maxUserGroupDescriptionLength = 1_024
/** Maximum number of members that a request adds or removes. */
export const maxMembersPerRequest = 20_000
/** Maximum number of sub-groups that a request adds or removes. */
export const maxSubgroupsPerRequest = 100
