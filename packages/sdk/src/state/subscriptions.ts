import type { Subscription, SubscriptionEvent } from '@oxbow/contract'
import { keepOnly, withFields } from './shared.ts'
import { type RegisterOptions, type State, withFetched } from './state.ts'
import {
  changeStream,
  idsOf,
  type NamedStream,
  plainStream,
  withoutStreams,
  withStreams,
} from './stream-lists.ts'
import {
  changeSubscriber,
  hideSubscribersFromOutsiders,
  isVisibleWithoutSubscription,
  withoutSubscriber,
  withSubscriber,
} from './subscribers.ts'
import { dropUnreadOfStreams, recountUnread } from './unread-state.ts'

export function applySubscriptionEvent(
  state: State,
  event: SubscriptionEvent,
  options: RegisterOptions,
): State {
  switch (event.op) {
    case 'add':
      return addSubscriptions(state, event.subscriptions, options)
    case 'remove':
      return removeSubscriptions(state, event.subscriptions)
    case 'update':
      return changeSetting(state, event)
    case 'peer_add':
      return changeSubscriber(state, event, withSubscriber)
    case 'peer_remove':
      return changeSubscriber(state, event, withoutSubscriber)
    default:
      return state
  }
}

function addSubscriptions(state: State, added: readonly Subscription[], options: RegisterOptions): State {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const ids = idsOf(added)
  const listed = idsOf(streams)
  return withFetched(state, {
    streams: withStreams(streams, added.filter(({ stream_id }) => !listed.has(stream_id)).map(plainStream)),
    subscriptions: withStreams(
      subscriptions,
      options.include_subscribers ? added : added.map(({ subscribers: _, ...rest }) => rest),
    ),
    unsubscribed: withoutStreams(unsubscribed, ids),
    never_subscribed: withoutStreams(never_subscribed, ids),
  })
}

function removeSubscriptions(state: State, removed: readonly NamedStream[]): State {
  const { user_id, streams = [], subscriptions = [], unsubscribed = [] } = state
  const ids = idsOf(removed)
  const endedSubscriptions = subscriptions
    .filter(({ stream_id }) => ids.has(stream_id))
    .map((entry) => (user_id === undefined ? entry : withoutSubscriber(entry, user_id)))
    .map((entry) => hideSubscribersFromOutsiders(entry, state))
  return withFetched(dropUnreadOfStreams(state, ids), {
    streams: keepOnly(
      streams,
      (stream) => !ids.has(stream.stream_id) || isVisibleWithoutSubscription(state, stream),
    ),
    subscriptions: withoutStreams(subscriptions, ids),
    unsubscribed: withStreams(unsubscribed, endedSubscriptions),
  })
}

type SettingChange = Extract<SubscriptionEvent, { op: 'update' }>

/** Applies a changed setting. Unsubscribed streams keep their settings, so they are changed too. */
function changeSetting(state: State, { stream_id, property, value }: SettingChange): State {
  const { subscriptions = [], unsubscribed = [] } = state
  const fields = { [property]: value, ...(property === 'in_home_view' && { is_muted: !value }) }
  const changed = withFetched(state, {
    subscriptions: changeStream(subscriptions, stream_id, (entry) => withFields(entry, fields)),
    unsubscribed: changeStream(unsubscribed, stream_id, (entry) => withFields(entry, fields)),
  })
  return property === 'in_home_view' ? recountUnread(changed) : changed
}
