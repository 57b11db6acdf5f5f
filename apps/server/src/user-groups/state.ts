import type { StateSlice } from '../events/state-slice.ts'
import { listGroups } from './queries.ts'

export const userGroupsState: StateSlice = {
  types: ['realm_user_groups'],
  read: async ({ actor, db }) => ({ realm_user_groups: await listGroups(db, actor.organization_id) }),
}
