import type { api } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { listAllowedDomains } from '../queries.ts'
import { addDomain, changeDomain, listDomains, removeDomain } from './manage-domains.ts'

const domainRoutes: Routes<typeof api.domains> = {
  list: listDomains,
  add: addDomain,
  update: changeDomain,
  remove: removeDomain,
}

const domainsState: StateSlice = {
  types: ['realm_domains'],
  read: async ({ actor, db }) => ({ realm_domains: await listAllowedDomains(db, actor.organization_id) }),
}

/** Domains that e-mail addresses may have. */
export const domainsFeature = {
  routes: { domains: domainRoutes },
  state: [domainsState],
} satisfies Feature
