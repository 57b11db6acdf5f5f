import type { api } from '@oxbow/contract'
import { generationOf, type QueueOptions } from '../../events/queue-options.ts'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import { getRole } from '../../identity/accounts/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { canSeeGroups } from './access.ts'
import { changeMembers } from './change-members.ts'
import { changeSubgroups } from './change-subgroups.ts'
import { userGroupEventShape, viewGroupOf27 } from './event-shape.ts'
import { createGroup, editGroup, listUserGroups, removeGroup } from './manage-groups.ts'
import { listGroups } from './queries.ts'
import { listSystemGroups, listSystemGroupsWithoutMembers, viewSystemGroupsOfGuest } from './system-groups.ts'

const userGroupRoutes: Routes<typeof api.userGroups> = {
  list: listUserGroups,
  create: createGroup,

  update: editGroup,
  remove: removeGroup,
  changeMembers,
  changeSubgroups,
}

const userGroupsState: StateSlice = {
  types: ['realm_user_groups'],
  async read({ actor, db, options }) {
    const isShown = canSeeGroups({ role: await getRole(db, actor) })
    const groups = isShown ? await listGroups(db, actor.organization_id) : []
    if (generationOf(options) === 27) return { realm_user_groups: groups.map(viewGroupOf27) }
    return { realm_user_groups: [...groups, ...(await readSystemGroups(db, actor, options, isShown))] }
  },
}

function readSystemGroups(db: Db, actor: Actor, { user_list_on_demand }: QueueOptions, isShown: boolean) {
  if (user_list_on_demand) return listSystemGroupsWithoutMembers()
  return isShown ? listSystemGroups(db, actor.organization_id) : viewSystemGroupsOfGuest(actor.user_id)
}

/** Groups of users that can be mentioned. */
export const userGroupsFeature = {
  routes: { userGroups: userGroupRoutes },
  state: [userGroupsState],
  eventShapes: () => [userGroupEventShape],
} satisfies Feature
