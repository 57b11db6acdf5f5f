import type { StateSlice } from '../events/state-slice.ts'
import { readListText } from './list-text.ts'

export const presenceState: StateSlice = {
  types: ['presence'],
  read: async ({ app, actor, db, options }) => ({
    presences: await readListText(app, db, actor.organization_id, { isSlim: options.slim_presence }),
  }),
}
