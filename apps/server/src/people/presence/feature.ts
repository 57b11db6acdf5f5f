import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import { isSightLimited, listInSight } from '../../identity/accounts/sight.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { presenceEventShape } from './event-shape.ts'
import { forgetOldPresence } from './forget-old-presence.ts'
import { getPresence } from './get-presence.ts'
import { listPresence } from './list-presence.ts'
import { listPresenceOfUsers } from './list-presence-of.ts'
import { readPresenceJson } from './read-presence-json.ts'
import { reportPresence } from './report-presence.ts'

const presenceRoutes: Routes<typeof api.presence> = {
  report: reportPresence,
  get: getPresence,
  list: listPresence,
  listOf: listPresenceOfUsers,
}

const presenceState: StateSlice = {
  types: ['presence'],
  read: async ({ app, actor, db, options }) => ({
    presences: await readPresenceJson(app, db, actor.organization_id, {
      isSlim: options.slim_presence,
      ids: (await isSightLimited(db, actor)) ? await listInSight(db, actor) : undefined,
    }),
  }),
}

/** Presence reports and lists. */
export const presenceFeature = {
  routes: { presence: presenceRoutes },
  state: [presenceState],
  eventShapes: ({ config }) => [presenceEventShape(config)],
  jobs: [forgetOldPresence],
} satisfies Feature
