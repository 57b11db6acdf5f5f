import type { StreamEvent, Subscription, UnsubscribedStream } from '@oxbow/contract'
import { changeEach } from './shared.ts'
import { type RegisterOptions, type State, withFetched } from './state.ts'
import { idsOf, plainStream, withStreams } from './stream-lists.ts'
import { isVisibleWithoutSubscription } from './subscribers.ts'

type CreatedStream = Extract<StreamEvent, { op: 'create' }>['streams'][number]
type Identified = Pick<CreatedStream, 'stream_id'>

/**
 * Adds streams that are new, or that the account may now see. Streams that are not new have
 * subscribers, and may already be in some lists.
 */
export function createStreams(
  state: State,
  created: readonly CreatedStream[],
  options: RegisterOptions,
): State {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const createdById = byId(created)
  const isCreated = ({ stream_id }: Identified) => createdById.has(stream_id)
  const listed = idsOf(streams.filter(isCreated))
  const ownIds = idsOf([...subscriptions.filter(isCreated), ...unsubscribed.filter(isCreated)])
  const known = byId(never_subscribed.filter(isCreated))

  const isListed = (one: CreatedStream) =>
    listed.has(one.stream_id) || isVisibleWithoutSubscription(state, one)
  // Members see a private stream only with a subscription, which another event adds.
  const isNeverJoined = (one: CreatedStream) =>
    !ownIds.has(one.stream_id) && (state.is_admin || isVisibleWithoutSubscription(state, one))
  return withFetched(state, {
    streams: withStreams(streams, created.filter(isListed).map(plainStream)),
    unsubscribed: changeEach(unsubscribed, (entry) =>
      updateUnsubscribed(entry, createdById.get(entry.stream_id), options),
    ),
    never_subscribed: withStreams(
      never_subscribed,
      created.filter(isNeverJoined).map((one) => toNeverSubscribed(one, known.get(one.stream_id), options)),
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
