import type { Domain, DomainsEvent } from '@oxbow/contract'
import { compareCodePoints } from '@oxbow/contract/plain'
import { type State, withFetched } from './state.ts'

export function applyDomains(state: State, event: DomainsEvent): State {
  if (!state.realm_domains) return state
  const name = event.op === 'remove' ? event.domain : event.realm_domain.domain
  const others = state.realm_domains.filter(({ domain }) => domain !== name)
  return withFetched(state, {
    realm_domains: event.op === 'remove' ? others : [...others, event.realm_domain].sort(byName),
  })
}

const byName = (a: Domain, b: Domain) => compareCodePoints(a.domain, b.domain)
