import type { StreamEvent, Subscription, UnsubscribedStream } from '@oxbow/contract'
import { changeEach } from './shared.ts'
import { type RegisterOptions, type State, withFetched } from './state.ts'
import { idsOf, plainStream, withStreams } from './stream-lists.ts'
import { isVisibleWithoutSubscription } from './subscribers.ts'

type CreatedStream = Extract<StreamEvent, { op: 'create' }>['streams'][number]
type Identified = Pick<CreatedStream, 'stream_id'>

/**
 * Adds streams that are new, or that the account may now see. Streams of the second kind have
 * subscribers, and may already be in some lists.
 */
export function createStreams(
  state: State,
  created: readonly CreatedStream[],
  options: RegisterOptions,
): State {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const news = byId(created)
  const isNews = ({ stream_id }: Identified) => news.has(stream_id)
  const listed = idsOf(streams.filter(isNews))
  const ownIds = idsOf([...subscriptions.filter(isNews), ...unsubscribed.filter(isNews)])
  const known = byId(never_subscribed.filter(isNews))

  const isListed = (one: CreatedStream) =>
    listed.has(one.stream_id) || isVisibleWithoutSubscription(state, one)
  // If a member gets a private stream, a subscription to it follows, so it is not added here.
  const isOther = (one: CreatedStream) =>
    !ownIds.has(one.stream_id) && (state.is_admin || isVisibleWithoutSubscription(state, one))
  return withFetched(state, {
    streams: withStreams(streams, created.filter(isListed).map(plainStream)),
    unsubscribed: changeEach(unsubscribed, (entry) =>
      updateUnsubscribed(entry, news.get(entry.stream_id), options),
    ),
    never_subscribed: withStreams(
      never_subscribed,
      created.filter(isOther).map((one) => toNeverSubscribed(one, known.get(one.stream_id), options)),
    ),
  })
}

const byId = <Entry extends Identified>(entries: readonly Entry[]) =>
  new Map(entries.map((entry) => [entry.stream_id, entry]))

function updateUnsubscribed(
  entry: Subscription,
  created: CreatedStream | undefined,
  { include_subscribers }: RegisterOptions,
): Subscription {
  if (!include_subscribers || !created?.subscribers) return entry
  return { ...entry, subscribers: created.subscribers }
}

function toNeverSubscribed(
  created: CreatedStream,
  before: UnsubscribedStream | undefined,
  { include_subscribers }: RegisterOptions,
): UnsubscribedStream {
  const { stream_weekly_traffic = before?.stream_weekly_traffic ?? null } = created
  const { subscribers = before?.subscribers ?? [] } = created
  return { ...plainStream(created), stream_weekly_traffic, ...(include_subscribers && { subscribers }) }
}
