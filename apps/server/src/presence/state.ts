import type { StateSlice } from '../events/state-slice.ts'
import { readPresenceJson } from './read-presence-json.ts'

export const presenceState: StateSlice = {
  types: ['presence'],
  read: async ({ app, actor, db, options }) => ({
    presences: await readPresenceJson(app, db, actor.organization_id, { isSlim: options.slim_presence }),
  }),
}
