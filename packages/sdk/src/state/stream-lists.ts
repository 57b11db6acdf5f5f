import { compareCodePoints, type Stream, type StreamId, streamFields } from '@oxbow/contract'
import { changeEach, keepOnly } from './shared.ts'
import { placeIn } from './sorted.ts'
import { type State, withFetched } from './state.ts'

export type Named = Pick<Stream, 'stream_id' | 'name'>

export const idsOf = (streams: readonly Pick<Named, 'stream_id'>[] = []): Set<StreamId> =>
  new Set(streams.map(({ stream_id }) => stream_id))

/** The list with these, each at its place by name, instead of those with their ids. */
export function withStreams<Entry extends Named>(list: Entry[], added: readonly Entry[]): Entry[] {
  if (added.length === 0) return list
  const others = withoutStreams(list, idsOf(added))
  const merged: Entry[] = []
  let taken = 0
  for (const entry of added.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
    const place = placeIn(others, ({ name }) => compareCodePoints(name, entry.name) < 0, taken)
    while (taken < place) merged.push(others[taken++] as Entry)
    merged.push(entry)
  }
  return merged.concat(others.slice(taken))
}

export function withoutStreams<Entry extends Named>(list: Entry[], ids: ReadonlySet<StreamId>): Entry[] {
  return keepOnly(list, ({ stream_id }) => !ids.has(stream_id))
}

/** The list with one of its streams changed, and at another place if its name did. */
export function changeStream<Entry extends Named>(
  list: Entry[],
  id: StreamId,
  change: (entry: Entry) => Entry,
): Entry[] {
  const index = list.findIndex(({ stream_id }) => stream_id === id)
  const entry = list[index]
  if (!entry) return list
  const changed = change(entry)
  if (changed === entry) return list
  return changed.name === entry.name ? list.with(index, changed) : withStreams(list, [changed])
}

/** The same change in every list of streams there is. */
export function changeLists(state: State, change: <Entry extends Stream>(list: Entry[]) => Entry[]): State {
  const { streams = [], subscriptions = [], unsubscribed = [], never_subscribed = [] } = state
  const { realm_default_streams = [], realm_default_stream_groups = [] } = state
  return withFetched(state, {
    streams: change(streams),
    subscriptions: change(subscriptions),
    unsubscribed: change(unsubscribed),
    never_subscribed: change(never_subscribed),
    realm_default_streams: change(realm_default_streams),
    realm_default_stream_groups: changeEach(realm_default_stream_groups, (group) => {
      const changed = change(group.streams)
      return changed === group.streams ? group : { ...group, streams: changed }
    }),
  })
}

/** Without what only some lists say about a stream. */
export function plainStream(stream: Stream): Stream {
  return Object.fromEntries(streamFields.map((field) => [field, stream[field]])) as Stream
}
