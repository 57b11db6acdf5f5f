import { isSystemGroup, type UserGroup } from '@oxbow/contract'
import type { EventShape } from '../../events/event-shape.ts'
import { generationOf } from '../../events/queue-options.ts'

/** The fields of an emitted `user_group` event that the shape reads. */
type GroupEvent = {
  op: string
  group?: UserGroup
  group_id?: number
}

/**
 * Leaves out the fields that generation 27 does not know, and the members of system groups for clients that
 * load people on demand.
 */
export const userGroupEventShape: EventShape<GroupEvent> = {
  type: 'user_group',
  variant(options) {
    if (generationOf(options) === 27) return '27'
    return options.user_list_on_demand ? 'without people' : ''
  },
  render(event, variant) {
    const { group, group_id } = event
    if (variant === '27') return [group ? { ...event, group: viewGroupOf27(group) } : event]
    if (variant === '') return [event]
    if (group_id !== undefined && isSystemGroup(group_id)) return []
    return [group?.is_system_group ? { ...event, group: { ...group, members: [] } } : event]
  },
}

/** Returns a group of people as clients of generation 27 know it. */
export const viewGroupOf27 = ({
  direct_subgroup_ids: _subgroups,
  is_system_group: _isSystem,
  ...group
}: UserGroup): UserGroup => group
