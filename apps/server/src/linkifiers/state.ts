import type { StateSlice } from '../events/state-slice.ts'
import { listLinkifierRows } from './queries.ts'
import { viewLinkifiers } from './views.ts'

export const linkifiersState: StateSlice = {
  types: ['realm_filters'],
  read: async ({ actor, db }) => ({
    realm_filters: viewLinkifiers(await listLinkifierRows(db, actor.organization_id)),
  }),
}
