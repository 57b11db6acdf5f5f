import { z } from 'zod'
import { userGroupId, userId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'
import { maxItems } from '../kernel/schemas.ts'

/** Maximum number of accounts, and of groups, that a group value names. */
export const maxNamedInGroupValue = 100

const groupValueObject = object({
  direct_members: field(
    maxItems(userId, maxNamedInGroupValue),
    'The ids of the accounts that have the right themselves.',
  ),
  direct_subgroups: field(
    maxItems(userGroupId, maxNamedInGroupValue),
    'The ids of the groups whose members have the right.',
  ),
})

/** The accounts to which a right is given: the id of one group, or accounts and groups. */
export const groupSetting = z.union([userGroupId, groupValueObject])
export type GroupSetting = z.infer<typeof groupSetting>

/** A new group value in a request. */
export const groupSettingChange = object({
  new: field(groupSetting, 'The new value.'),
  old: field(
    groupSetting.optional(),
    'The value that the client knows. If it is outdated, the request is refused.',
  ),
})
export type GroupSettingChange = z.infer<typeof groupSettingChange>
