import type { UserGroupEvent, UserId } from '@oxbow/contract'
import type { EventFields } from '../events/event-fields.ts'
import type { Emission } from '../events/record.ts'
import type { UserGroupRow } from '../platform/database/tables.ts'
import { viewGroup } from './views.ts'

type Group = Pick<UserGroupRow, 'organization_id' | 'id'>

/** Builds an event for everyone, including guests and bots, because messages mention groups. */
const buildGroupEvent = ({ organization_id }: Group, fields: EventFields<UserGroupEvent>): Emission => ({
  organization_id,
  event: { type: 'user_group', ...fields },
  to: { roles: 'everyone' },
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

export const groupRemoved = (group: Group): Emission =>
  buildGroupEvent(group, { op: 'remove', group_id: group.id })
