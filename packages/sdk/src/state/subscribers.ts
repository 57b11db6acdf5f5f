import type { Stream, StreamId, UnsubscribedStream, UserId } from '@oxbow/contract'
import { changeEach } from './shared.ts'
import { placeIn } from './sorted.ts'
import { type State, withFetched } from './state.ts'
import { changeStream } from './stream-lists.ts'

/** Whose state it is. Where accounts were not fetched nobody can tell, and it counts as a member's. */
export type Viewer = Pick<State, 'is_admin' | 'is_guest'>

/** Whether someone sees a stream without being in it, administrators aside. */
export const isOpenTo = ({ is_guest }: Viewer, { invite_only }: Pick<Stream, 'invite_only'>): boolean =>
  !invite_only && !is_guest

/** The members of a stream; left out where they were not asked for, or may not be known. */
type WithSubscribers = Pick<UnsubscribedStream, 'subscribers'>

/** A stream as someone has it who is not in it. */
export function seenFromOutside<Entry extends WithSubscribers & Pick<Stream, 'invite_only'>>(
  entry: Entry,
  viewer: Viewer,
): Entry {
  if (!entry.subscribers || viewer.is_admin || isOpenTo(viewer, entry)) return entry
  const { subscribers: _, ...rest } = entry
  return rest as Entry
}

export function withSubscriber<Entry extends WithSubscribers>(entry: Entry, id: UserId): Entry {
  const { subscribers } = entry
  if (!subscribers) return entry
  const place = placeOf(subscribers, id)
  return subscribers[place] === id ? entry : { ...entry, subscribers: subscribers.toSpliced(place, 0, id) }
}

export function withoutSubscriber<Entry extends WithSubscribers>(entry: Entry, id: UserId): Entry {
  const { subscribers } = entry
  if (!subscribers) return entry
  const place = placeOf(subscribers, id)
  return subscribers[place] === id ? { ...entry, subscribers: subscribers.toSpliced(place, 1) } : entry
}

const placeOf = (subscribers: readonly UserId[], id: UserId): number =>
  placeIn(subscribers, (other) => other < id)

type Peer = { stream_id: StreamId; user_id: UserId }

export function changePeer(
  state: State,
  { stream_id, user_id }: Peer,
  change: typeof withSubscriber | typeof withoutSubscriber,
): State {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  return withFetched(state, {
    subscriptions: changeStream(subscriptions, stream_id, (entry) => change(entry, user_id)),
    unsubscribed: changeStream(unsubscribed, stream_id, (entry) => change(entry, user_id)),
    never_subscribed: changeStream(never_subscribed, stream_id, (entry) => change(entry, user_id)),
  })
}

/** Someone who is deactivated is not counted as a member anywhere. */
export function removeSubscriber(state: State, id: UserId): State {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  return withFetched(state, {
    subscriptions: changeEach(subscriptions, (entry) => withoutSubscriber(entry, id)),
    unsubscribed: changeEach(unsubscribed, (entry) => withoutSubscriber(entry, id)),
    never_subscribed: changeEach(never_subscribed, (entry) => withoutSubscriber(entry, id)),
  })
}
