import type { Stream, StreamId, UnsubscribedStream, UserId } from '@oxbow/contract'
import { changeEach } from './shared.ts'
import { findInsertIndex } from './sorted.ts'
import { type State, withFetched } from './state.ts'
import { changeStream } from './stream-lists.ts'

/** The account's own role. If accounts were not fetched, the role is unknown and treated as a member's. */
export type Viewer = Pick<State, 'is_admin' | 'is_guest'>

/**
 * Returns whether the stream is public and the account is not a guest. Ignores that administrators
 * also see private streams; callers check `is_admin`.
 */
export const isVisibleWithoutSubscription = (
  { is_guest }: Viewer,
  { invite_only }: Pick<Stream, 'invite_only'>,
): boolean => !invite_only && !is_guest

/** `subscribers` is absent if the client did not request it or may not see it. */
type WithSubscribers = Pick<UnsubscribedStream, 'subscribers'>

/** Returns the stream as an account without a subscription sees it. */
export function hideSubscribersFromOutsiders<Entry extends WithSubscribers & Pick<Stream, 'invite_only'>>(
  entry: Entry,
  viewer: Viewer,
): Entry {
  if (!entry.subscribers || viewer.is_admin || isVisibleWithoutSubscription(viewer, entry)) return entry
  const { subscribers: _, ...rest } = entry
  return rest as Entry
}

export function withSubscriber<Entry extends WithSubscribers>(entry: Entry, id: UserId): Entry {
  const { subscribers } = entry
  if (!subscribers) return entry
  const index = findSubscriberIndex(subscribers, id)
  return subscribers[index] === id ? entry : { ...entry, subscribers: subscribers.toSpliced(index, 0, id) }
}

export function withoutSubscriber<Entry extends WithSubscribers>(entry: Entry, id: UserId): Entry {
  const { subscribers } = entry
  if (!subscribers) return entry
  const index = findSubscriberIndex(subscribers, id)
  return subscribers[index] === id ? { ...entry, subscribers: subscribers.toSpliced(index, 1) } : entry
}

const findSubscriberIndex = (subscribers: readonly UserId[], id: UserId): number =>
  findInsertIndex(subscribers, (other) => other < id)

type SubscriberChange = { stream_id: StreamId; user_id: UserId }

export function changeSubscriber(
  state: State,
  { stream_id, user_id }: SubscriberChange,
  change: typeof withSubscriber | typeof withoutSubscriber,
): State {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  return withFetched(state, {
    subscriptions: changeStream(subscriptions, stream_id, (entry) => change(entry, user_id)),
    unsubscribed: changeStream(unsubscribed, stream_id, (entry) => change(entry, user_id)),
    never_subscribed: changeStream(never_subscribed, stream_id, (entry) => change(entry, user_id)),
  })
}

/** Removes a deactivated user from all streams. */
export function removeSubscriber(state: State, id: UserId): State {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  return withFetched(state, {
    subscriptions: changeEach(subscriptions, (entry) => withoutSubscriber(entry, id)),
    unsubscribed: changeEach(unsubscribed, (entry) => withoutSubscriber(entry, id)),
    never_subscribed: changeEach(never_subscribed, (entry) => withoutSubscriber(entry, id)),
  })
}
