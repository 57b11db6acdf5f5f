import type { ArgumentsOf, api, ResponseOf } from '@oxbow/contract'

/** What `register` answered with, kept up to date by the events of its queue. */
export type State = ResponseOf<typeof api.events.register>

/** What was asked of `register`, as far as it decides how things look in the state. */
export type Asked = Pick<
  ArgumentsOf<typeof api.events.register>,
  'client_external_avatar' | 'include_subscribers'
>

/** The state with these fields. Fields that were not fetched stay away: nobody keeps them up to date. */
export function withFetched(state: State, changes: Partial<State>): State {
  const changed = Object.entries(changes).filter(
    ([name, value]) => Object.hasOwn(state, name) && state[name as keyof State] !== value,
  )
  return changed.length === 0 ? state : { ...state, ...Object.fromEntries(changed) }
}
