import type { UserGroupEvent, UserId } from '@oxbow/contract'
import type { Emission } from '../events/record.ts'
import type { UserGroupRow } from '../platform/database/tables.ts'
import { viewGroup } from './views.ts'

type Group = Pick<UserGroupRow, 'organization_id' | 'id'>
type Said<Event> = Event extends unknown ? Omit<Event, 'id' | 'type'> : never

/** Guests and bots hear of groups too: messages mention them. */
const toEveryone = ({ organization_id }: Group, said: Said<UserGroupEvent>): Emission => ({
  organization_id,
  event: { type: 'user_group', ...said },
  to: { roles: 'everyone' },
})

export const groupAdded = (group: UserGroupRow, members: UserId[]): Emission =>
  toEveryone(group, { op: 'add', group: viewGroup(group, members) })

/** About one property. */
export const groupUpdated = (group: Group, data: { name: string } | { description: string }): Emission =>
  toEveryone(group, { op: 'update', group_id: group.id, data })

export const membersAdded = (group: Group, user_ids: UserId[]): Emission =>
  toEveryone(group, { op: 'add_members', group_id: group.id, user_ids })

export const membersRemoved = (group: Group, user_ids: UserId[]): Emission =>
  toEveryone(group, { op: 'remove_members', group_id: group.id, user_ids })

export const groupRemoved = (group: Group): Emission =>
  toEveryone(group, { op: 'remove', group_id: group.id })
