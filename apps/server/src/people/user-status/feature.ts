import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import { isSightLimited, listInSight } from '../../identity/accounts/sight.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { JsonText } from '../../platform/pieces.ts'
import { userStatusEventShape } from './event-shape.ts'
import { readStatusesAsJson } from './queries.ts'
import { setStatus } from './set-status.ts'

const userStatusRoutes: Routes<typeof api.userStatus> = { set: setStatus }

/** The statuses of all users who have one and whom the account sees. */
const userStatusState: StateSlice = {
  types: ['user_status'],
  async read({ actor, db }) {
    const ids = (await isSightLimited(db, actor)) ? await listInSight(db, actor) : undefined
    return { user_status: new JsonText([await readStatusesAsJson(db, actor.organization_id, ids)]) }
  },
}

/** Status texts and "away". */
export const userStatusFeature = {
  routes: { userStatus: userStatusRoutes },
  state: [userStatusState],
  eventShapes: () => [userStatusEventShape],
} satisfies Feature
