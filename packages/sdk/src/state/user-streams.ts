import type { Role, UserEvent } from '@oxbow/contract'
import { flagsOf } from './person.ts'
import { changeEach, keepOnly } from './shared.ts'
import { type State, withFetched } from './state.ts'
import { idsOf } from './stream-lists.ts'
import { removeSubscriber, seenFromOutside, type Viewer } from './subscribers.ts'

/** What becomes of the lists of streams when someone does. */
export function applyUserToStreams(state: State, event: UserEvent): State {
  if (event.op === 'remove') return removeSubscriber(state, event.person.user_id)
  if (event.op !== 'update' || !('role' in event.person)) return state
  return event.person.user_id === state.user_id ? seeAs(state, event.person.role) : state
}

/** What another role no longer shows. Events of their own tell what it shows besides. */
function seeAs(state: State, role: Role): State {
  const viewer: Viewer = flagsOf(role)
  const { unsubscribed = [] } = state
  const seen = withFetched(state, {
    unsubscribed: changeEach(unsubscribed, (entry) => seenFromOutside(entry, viewer)),
  })
  return viewer.is_guest ? seeAsGuest(seen) : seen
}

function seeAsGuest(state: State): State {
  const { streams = [], subscriptions } = state
  const joined = idsOf(subscriptions)
  const none = () => false
  return withFetched(state, {
    // Where subscriptions were not fetched nobody can tell which ones stay.
    streams: subscriptions ? keepOnly(streams, ({ stream_id }) => joined.has(stream_id)) : streams,
    never_subscribed: keepOnly(state.never_subscribed ?? [], none),
    realm_default_streams: keepOnly(state.realm_default_streams ?? [], none),
    realm_default_stream_groups: keepOnly(state.realm_default_stream_groups ?? [], none),
  })
}
