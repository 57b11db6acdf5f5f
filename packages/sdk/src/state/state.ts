import type { ArgumentsOf, api, ResponseOf } from '@oxbow/contract'

/** What `register` answered with, kept up to date by the events of its queue. */
export type State = ResponseOf<typeof api.events.register>

/** What was asked of `register`, as far as it decides how things look in the state. */
export type Asked = Pick<ArgumentsOf<typeof api.events.register>, 'client_external_avatar'>

/** The state with these fields. Fields that were not fetched stay away: nobody keeps them up to date. */
export function withFetched(state: State, changes: Partial<State>): State {
  const fetched = Object.entries(changes).filter(([name]) => Object.hasOwn(state, name))
  return fetched.length === 0 ? state : { ...state, ...Object.fromEntries(fetched) }
}
