import type { LinkifiersEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

/** The event has all of them. */
export function applyLinkifiers(state: State, { realm_filters }: LinkifiersEvent): State {
  return withFetched(state, { realm_filters })
}
