import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { JsonText } from '../../platform/pieces.ts'
import { readStatusesAsJson } from './queries.ts'
import { setStatus } from './set-status.ts'

const userStatusRoutes: Routes<typeof api.userStatus> = { set: setStatus }

/** The statuses of all users who have one. */
const userStatusState: StateSlice = {
  types: ['user_status'],
  read: async ({ actor, db }) => ({
    user_status: new JsonText([await readStatusesAsJson(db, actor.organization_id)]),
  }),
}

/** Status texts and "away". */
export const userStatusFeature = {
  routes: { userStatus: userStatusRoutes },
  state: [userStatusState],
} satisfies Feature
