import type { LinkifiersEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

/** Replaces all linkifiers by those in the event. */
export function applyLinkifiers(state: State, { realm_filters }: LinkifiersEvent): State {
  return withFetched(state, { realm_filters })
}
