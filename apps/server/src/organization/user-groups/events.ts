import type { UserGroup, UserGroupEvent, UserGroupId, UserId } from '@oxbow/contract'
import type { EventFields } from '../../events/event-fields.ts'
import type { Audience, Emission } from '../../events/record.ts'
import type { UserGroupRow, UserRow } from '../../platform/database/tables.ts'
import { rolesThatSeeGroups } from './access.ts'

type Group = Pick<UserGroupRow, 'organization_id' | 'id'>

/** Builds an event for all accounts that see groups, including bots. */
const buildGroupEvent = (
  { organization_id }: Group,
  fields: EventFields<UserGroupEvent>,
  to: Audience = { roles: rolesThatSeeGroups },
): Emission => ({
  organization_id,
  event: { type: 'user_group', ...fields },
  to,
})

export const groupAdded = (group: UserGroupRow, members: UserId[]): Emission =>
  buildGroupEvent(group, { op: 'add', group: viewGroup(group, members) })

/** Builds the event for one changed property. */
export const groupUpdated = (group: Group, data: { name: string } | { description: string }): Emission =>
  buildGroupEvent(group, { op: 'update', group_id: group.id, data })

export const membersAdded = (group: Group, user_ids: UserId[]): Emission =>
  buildGroupEvent(group, { op: 'add_members', group_id: group.id, user_ids })

export const membersRemoved = (group: Group, user_ids: UserId[]): Emission =>
  buildGroupEvent(group, { op: 'remove_members', group_id: group.id, user_ids })

export const subgroupsAdded = (group: Group, direct_subgroup_ids: UserGroupId[]): Emission => ({
  ...buildGroupEvent(group, { op: 'add_subgroups', group_id: group.id, direct_subgroup_ids }),
  since: 371,
})

export const subgroupsRemoved = (group: Group, direct_subgroup_ids: UserGroupId[]): Emission => ({
  ...buildGroupEvent(group, { op: 'remove_subgroups', group_id: group.id, direct_subgroup_ids }),
  since: 371,
})

export const groupRemoved = (group: Group): Emission =>
  buildGroupEvent(group, { op: 'remove', group_id: group.id })

/** Builds the event for a user who can now see an existing group. */
export const groupAppeared = (
  group: UserGroup,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): Emission => buildGroupEvent({ organization_id, id: group.id }, { op: 'add', group }, { users: [id] })

/** Builds the event for a user who no longer sees a group. */
export const groupDisappeared = (
  { id: group_id }: Pick<UserGroup, 'id'>,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): Emission => buildGroupEvent({ organization_id, id: group_id }, { op: 'remove', group_id }, { users: [id] })

function viewGroup({ id, name, description }: UserGroupRow, members: UserId[]): UserGroup {
  return { id, name, description, members, direct_subgroup_ids: [], is_system_group: false }
}
