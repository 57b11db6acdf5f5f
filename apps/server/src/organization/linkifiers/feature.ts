import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { addLinkifier, listLinkifierObjects, listLinkifiers, removeLinkifier } from './manage-linkifiers.ts'
import { listLinkifierRows } from './queries.ts'
import { viewLinkifiers } from './views.ts'

const linkifierRoutes: Routes<typeof api.linkifiers> = {
  list: listLinkifiers,
  listByName: listLinkifierObjects,
  add: addLinkifier,
  remove: removeLinkifier,
}

const linkifiersState: StateSlice = {
  types: ['realm_filters'],
  read: async ({ actor, db }) => ({
    realm_filters: viewLinkifiers(await listLinkifierRows(db, actor.organization_id)),
  }),
}

/** Patterns that become links in messages and topics. */
export const linkifiersFeature = {
  routes: { linkifiers: linkifierRoutes },
  state: [linkifiersState],
} satisfies Feature
