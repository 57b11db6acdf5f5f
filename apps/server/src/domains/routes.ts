import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { addDomain, changeDomain, listDomains, removeDomain } from './manage-domains.ts'

export const domainRoutes: Routes<typeof api.domains> = {
  list: listDomains,
  add: addDomain,
  update: changeDomain,
  remove: removeDomain,
}
