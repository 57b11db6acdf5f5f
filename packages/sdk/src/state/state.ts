import type { ArgumentsOf, api, ResponseOf } from '@oxbow/contract'

type Registered = ResponseOf<typeof api.events.register>

/** The messages that `register` was asked to fetch, or the reason why it could not read them. */
export type Fetched = Pick<Registered, 'fetched_messages' | 'fetch_messages_error'>

/** The state in the response of `register`, kept up to date with the events of its queue. */
export type State = Omit<Registered, keyof Fetched>

/** The arguments of `register` that affect the content of the state. */
export type RegisterOptions = Pick<
  ArgumentsOf<typeof api.events.register>,
  'client_external_avatar' | 'include_subscribers' | 'client_capabilities'
>

/**
 * Returns the state with these fields changed. Fields that were not fetched are not added, because
 * they would become outdated.
 */
export function withFetched(state: State, changes: Partial<State>): State {
  const changed = Object.entries(changes).filter(
    ([name, value]) => Object.hasOwn(state, name) && state[name as keyof State] !== value,
  )
  return changed.length === 0 ? state : { ...state, ...Object.fromEntries(changed) }
}
