import type { UserEvent, UserStatus, UserStatusEvent } from '@oxbow/contract'
import { type State, withFetched } from './state.ts'

/** Applies a status event. Fields that are not in the event stay unchanged. An empty status is removed. */
export function applyUserStatus(state: State, { user_id, away, status_text }: UserStatusEvent): State {
  const { user_status = {} } = state
  const { [user_id]: before = {}, ...others } = user_status
  const now: UserStatus = {
    ...((away ?? before.away) && { away: true as const }),
    ...((status_text ?? before.status_text) && { status_text: status_text ?? before.status_text }),
  }
  const isSame = now.away === before.away && now.status_text === before.status_text
  if (isSame) return state
  const isNothing = Object.keys(now).length === 0
  return withFetched(state, { user_status: isNothing ? others : { ...others, [user_id]: now } })
}

/** Removes the status of a user who was deactivated or is no longer seen. */
export function removeStatusOfUser(state: State, event: UserEvent): State {
  if (event.op !== 'remove' || !state.user_status?.[event.person.user_id]) return state
  const { [event.person.user_id]: _, ...user_status } = state.user_status
  return { ...state, user_status }
}
