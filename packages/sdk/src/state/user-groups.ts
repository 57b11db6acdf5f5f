import type { UserGroup, UserGroupEvent } from '@oxbow/contract'
import { withIds, withoutIds } from './id-lists.ts'
import { changeEach, keepOnly, withFields } from './shared.ts'
import { findInsertIndex } from './sorted.ts'
import { type State, withFetched } from './state.ts'

export function applyUserGroupEvent(state: State, event: UserGroupEvent): State {
  const { realm_user_groups: groups = [] } = state
  return withFetched(state, { realm_user_groups: changeGroups(groups, event) })
}

function changeGroups(groups: UserGroup[], event: UserGroupEvent): UserGroup[] {
  switch (event.op) {
    case 'add':
      return withGroup(groups, event.group)
    case 'update': {
      const { name, description } = event.data
      return changeGroup(groups, event.group_id, (group) =>
        withFields(group, {
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description }),
        }),
      )
    }
    case 'add_members':
      return changeGroup(groups, event.group_id, (group) =>
        withFields(group, { members: withIds(group.members, event.user_ids) }),
      )
    case 'remove_members':
      return changeGroup(groups, event.group_id, (group) =>
        withFields(group, { members: withoutIds(group.members, new Set(event.user_ids)) }),
      )
    case 'add_subgroups':
      return changeGroup(groups, event.group_id, (group) =>
        withFields(group, {
          direct_subgroup_ids: withIds(group.direct_subgroup_ids ?? [], event.direct_subgroup_ids),
        }),
      )
    case 'remove_subgroups':
      return changeGroup(groups, event.group_id, (group) =>
        withFields(group, {
          direct_subgroup_ids: withoutIds(
            group.direct_subgroup_ids ?? [],
            new Set(event.direct_subgroup_ids),
          ),
        }),
      )
    case 'remove':
      return changeEach(
        keepOnly(groups, ({ id }) => id !== event.group_id),
        (group) => withoutSubgroup(group, event.group_id),
      )
  }
}

function withoutSubgroup(group: UserGroup, id: UserGroup['id']): UserGroup {
  if (!group.direct_subgroup_ids?.includes(id)) return group
  return { ...group, direct_subgroup_ids: withoutIds(group.direct_subgroup_ids, new Set([id])) }
}

function withGroup(groups: UserGroup[], added: UserGroup): UserGroup[] {
  const index = findInsertIndex(groups, ({ id }) => id < added.id)
  return groups.toSpliced(index, groups[index]?.id === added.id ? 1 : 0, added)
}

const changeGroup = (groups: UserGroup[], id: UserGroup['id'], change: (group: UserGroup) => UserGroup) =>
  changeEach(groups, (group) => (group.id === id ? change(group) : group))
