import type { Feature } from '../feature.ts'
import { domainRoutes } from './routes.ts'
import { domainsState } from './state.ts'

/** Domains that e-mail addresses may have. */
export const domainsFeature = {
  routes: { domains: domainRoutes },
  state: [domainsState],
} satisfies Feature
