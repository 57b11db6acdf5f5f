import type { StateSlice } from '../events/state-slice.ts'
import { JsonText } from '../platform/pieces.ts'
import { readStatusesAsJson } from './queries.ts'

/** The statuses of all users who have one. */
export const userStatusState: StateSlice = {
  types: ['user_status'],
  read: async ({ actor, db }) => ({
    user_status: new JsonText([await readStatusesAsJson(db, actor.organization_id)]),
  }),
}
