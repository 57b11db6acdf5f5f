import type { Role, UserEvent } from '@oxbow/contract'
import { getRoleFields } from './person.ts'
import { changeEach, keepOnly } from './shared.ts'
import { type State, withFetched } from './state.ts'
import { idsOf } from './stream-lists.ts'
import { hideSubscribersFromOutsiders, removeSubscriber, type Viewer } from './subscribers.ts'

/** Applies a user event to the lists of streams. */
export function applyUserToStreams(state: State, event: UserEvent): State {
  if (event.op === 'remove') return removeSubscriber(state, event.person.user_id)
  if (event.op !== 'update' || !('role' in event.person)) return state
  return event.person.user_id === state.user_id ? applyOwnRole(state, event.person.role) : state
}

/**
 * Removes streams and subscribers that the account may not see with its new role. Streams that it
 * may now see arrive with other events.
 */
function applyOwnRole(state: State, role: Role): State {
  const viewer: Viewer = getRoleFields(role)
  const { unsubscribed = [] } = state
  const seen = withFetched(state, {
    unsubscribed: changeEach(unsubscribed, (entry) => hideSubscribersFromOutsiders(entry, viewer)),
  })
  return viewer.is_guest ? hideFromGuest(seen) : seen
}

function hideFromGuest(state: State): State {
  const { streams = [], subscriptions } = state
  const joined = idsOf(subscriptions)
  const never = () => false
  return withFetched(state, {
    // If subscriptions were not fetched, it is unknown which streams are still visible.
    streams: subscriptions ? keepOnly(streams, ({ stream_id }) => joined.has(stream_id)) : streams,
    never_subscribed: keepOnly(state.never_subscribed ?? [], never),
    realm_default_streams: keepOnly(state.realm_default_streams ?? [], never),
    realm_default_stream_groups: keepOnly(state.realm_default_stream_groups ?? [], never),
  })
}
