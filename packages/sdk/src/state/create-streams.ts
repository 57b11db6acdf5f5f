import type { StreamEvent, Subscription, UnsubscribedStream } from '@oxbow/contract'
import { changeEach } from './shared.ts'
import { type Asked, type State, withFetched } from './state.ts'
import { idsOf, plainStream, withStreams } from './stream-lists.ts'
import { isOpenTo } from './subscribers.ts'

type Created = Extract<StreamEvent, { op: 'create' }>['streams'][number]
type Identified = Pick<Created, 'stream_id'>

/** Streams that are new, or that the account comes to see: those tell their members, and may be known in part. */
export function createStreams(state: State, created: readonly Created[], asked: Asked): State {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const news = byId(created)
  const isNews = ({ stream_id }: Identified) => news.has(stream_id)
  const listed = idsOf(streams.filter(isNews))
  const ownIds = idsOf([...subscriptions.filter(isNews), ...unsubscribed.filter(isNews)])
  const known = byId(never_subscribed.filter(isNews))

  const isListed = (one: Created) => listed.has(one.stream_id) || isOpenTo(state, one)
  // A private one that a member hears of is one they are about to be in: it goes to the subscriptions at once.
  const isOther = (one: Created) => !ownIds.has(one.stream_id) && (state.is_admin || isOpenTo(state, one))
  return withFetched(state, {
    streams: withStreams(streams, created.filter(isListed).map(plainStream)),
    unsubscribed: changeEach(unsubscribed, (entry) => leftStream(entry, news.get(entry.stream_id), asked)),
    never_subscribed: withStreams(
      never_subscribed,
      created.filter(isOther).map((one) => neverJoined(one, known.get(one.stream_id), asked)),
    ),
  })
}

const byId = <Entry extends Identified>(entries: readonly Entry[]) =>
  new Map(entries.map((entry) => [entry.stream_id, entry]))

function leftStream(
  entry: Subscription,
  created: Created | undefined,
  { include_subscribers }: Asked,
): Subscription {
  if (!include_subscribers || !created?.subscribers) return entry
  return { ...entry, subscribers: created.subscribers }
}

function neverJoined(
  created: Created,
  before: UnsubscribedStream | undefined,
  { include_subscribers }: Asked,
): UnsubscribedStream {
  const { stream_weekly_traffic = before?.stream_weekly_traffic ?? null } = created
  const { subscribers = before?.subscribers ?? [] } = created
  return { ...plainStream(created), stream_weekly_traffic, ...(include_subscribers && { subscribers }) }
}
