import type { UserEvent } from '@oxbow/contract'
import { getRoleFields } from './person.ts'
import { type State, withFetched } from './state.ts'

type UserUpdate = Extract<UserEvent, { op: 'update' }>

/** Applies the event to the top-level fields of the state, which describe the user's own account. */
export function changeOwnAccount(state: State, event: UserUpdate): State {
  if (event.person.user_id !== state.user_id) return state
  return withFetched(state, getOwnFields(event))
}

function getOwnFields({ person, can_create_streams, can_subscribe_other_users }: UserUpdate): Partial<State> {
  if ('full_name' in person) return { full_name: person.full_name }
  if ('new_email' in person) return { email: person.new_email }
  if ('delivery_email' in person) {
    // Null is meant for lists of users only, because users always see their own address.
    return person.delivery_email === null ? {} : { delivery_email: person.delivery_email }
  }
  if ('avatar_url' in person) {
    const { avatar_source, avatar_url, avatar_url_medium } = person
    return { avatar_source, avatar_url, avatar_url_medium }
  }
  if ('role' in person) {
    return {
      ...getRoleFields(person.role),
      ...(can_create_streams !== undefined && { can_create_streams }),
      ...(can_subscribe_other_users !== undefined && { can_subscribe_other_users }),
    }
  }
  return {}
}
