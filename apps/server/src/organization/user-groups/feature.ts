import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import { getRole } from '../../identity/accounts/queries.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { canSeeGroups } from './access.ts'
import { changeMembers } from './change-members.ts'
import { createGroup, editGroup, listUserGroups, removeGroup } from './manage-groups.ts'
import { listGroups } from './queries.ts'

const userGroupRoutes: Routes<typeof api.userGroups> = {
  list: listUserGroups,
  create: createGroup,

  update: editGroup,
  remove: removeGroup,
  changeMembers,
}

const userGroupsState: StateSlice = {
  types: ['realm_user_groups'],
  async read({ actor, db }) {
    const isShown = canSeeGroups({ role: await getRole(db, actor) })
    return { realm_user_groups: isShown ? await listGroups(db, actor.organization_id) : [] }
  },
}

/** Groups of users that can be mentioned. */
export const userGroupsFeature = {
  routes: { userGroups: userGroupRoutes },
  state: [userGroupsState],
} satisfies Feature
