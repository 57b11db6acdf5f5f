import type { StateSlice } from '../events/state-slice.ts'
import { listAllowedDomains } from '../organization/queries.ts'

export const domainsState: StateSlice = {
  types: ['realm_domains'],
  read: async ({ actor, db }) => ({ realm_domains: await listAllowedDomains(db, actor.organization_id) }),
}
