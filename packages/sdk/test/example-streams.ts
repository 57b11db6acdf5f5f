import {
  type DefaultStreamGroup,
  type DefaultStreamGroupId,
  PostPolicy,
  type Role,
  type Stream,
  type StreamId,
  type Subscription,
  type UnsubscribedStream,
  type UserId,
} from '@oxbow/contract'
import { getRoleFields } from '../src/state/person.ts'
import type { State } from '../src/state/state.ts'

// Example data for tests.

export const ids = { garden: 1, pond: 2, roses: 3, shed: 4, tools: 5, vault: 6 } as const

export const users = (...list: number[]): UserId[] => list as UserId[]

export function stream(id: number, name: string, more: Partial<Stream> = {}): Stream {
  return {
    stream_id: id as StreamId,
    name,
    description: '',
    rendered_description: '',
    invite_only: false,
    is_web_public: false,
    stream_post_policy: PostPolicy.everyone,
    history_public_to_subscribers: true,
    first_message_id: null,
    message_retention_days: null,
    is_announcement_only: false,
    folder_id: null,
    ...more,
  }
}

export function subscription(plain: Stream, subscribers?: UserId[]): Subscription {
  return {
    ...plain,
    color: '#76ce90',
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
    email_address: '',
    stream_weekly_traffic: 10,
    ...(subscribers && { subscribers }),
  }
}

export function asNeverSubscribed(plain: Stream, subscribers?: UserId[]): UnsubscribedStream {
  return { ...plain, stream_weekly_traffic: 10, ...(subscribers && { subscribers }) }
}

const closed = { invite_only: true, history_public_to_subscribers: false }
export const garden = stream(ids.garden, 'garden')
export const pond = stream(ids.pond, 'pond', closed)
export const roses = stream(ids.roses, 'roses')
export const shed = stream(ids.shed, 'shed', closed)
export const tools = stream(ids.tools, 'tools')
export const vault = stream(ids.vault, 'vault', closed)

export const group = (id: number, name: string, streams: Stream[]): DefaultStreamGroup => ({
  id: id as DefaultStreamGroupId,
  name,
  description: '',
  streams,
})

/**
 * Returns the state of user 2 with this role, with subscribers. User 2 is subscribed to garden and
 * pond, has left roses and shed, and was never subscribed to tools and vault. Pond, shed and vault
 * are private.
 */
export function stateOf(role: Role): State {
  const viewer = getRoleFields(role)
  const { is_admin, is_guest } = viewer
  const open = is_guest ? [] : [tools]
  return {
    queue_id: 'q',
    last_event_id: 4,
    chat_version: '3.1',
    chat_feature_level: 27,
    server_version: '0',
    ...viewer,
    user_id: 2 as UserId,
    realm_users: [],
    realm_non_active_users: [],
    streams: is_guest ? [garden, pond] : [garden, pond, roses, tools],
    subscriptions: [subscription(garden, users(1, 2, 5)), subscription(pond, users(2, 5))],
    unsubscribed: [
      subscription(roses, is_guest ? undefined : users(5, 9)),
      subscription(shed, is_admin ? users(5, 9) : undefined),
    ],
    never_subscribed: (is_admin ? [tools, vault] : open).map((one) => asNeverSubscribed(one, users(5, 9))),
    realm_default_streams: is_guest ? [] : [garden, tools],
    realm_default_stream_groups: is_guest ? [] : [group(1, 'outside', [garden, tools])],
    muted_topics: [
      ['garden', 'weeds', 100],
      ['roses', 'thorns', 200],
      ['garden', 'moles', 300],
    ],
  }
}

/** Returns the state without subscribers, as if it was registered without `include_subscribers`. */
export function withoutSubscribers(state: State): State {
  const { subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  return {
    ...state,
    subscriptions: subscriptions.map(({ subscribers: _, ...rest }) => rest),
    unsubscribed: unsubscribed.map(({ subscribers: _, ...rest }) => rest),
    never_subscribed: never_subscribed.map(({ subscribers: _, ...rest }) => rest),
  }
}

type List = 'streams' | 'subscriptions' | 'unsubscribed' | 'never_subscribed' | 'realm_default_streams'
export const namesIn = (state: State, list: List) => state[list]?.map(({ name }) => name)

const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
/** Returns the subscribers of a stream in the state, or undefined if they are unknown. */
export const subscribersIn = (state: State, id: number) =>
  lists.flatMap((list) => state[list] ?? []).find(({ stream_id }) => stream_id === id)?.subscribers
