import type { Stream, StreamId } from '@oxbow/contract'
import { compareCodePoints, streamFields, streamRights } from '@oxbow/contract/plain'
import { changeEach, keepOnly } from './shared.ts'
import { findInsertIndex } from './sorted.ts'
import { type State, withFetched } from './state.ts'

export type NamedStream = Pick<Stream, 'stream_id' | 'name'>

export const idsOf = (streams: readonly Pick<NamedStream, 'stream_id'>[] = []): Set<StreamId> =>
  new Set(streams.map(({ stream_id }) => stream_id))

/** Returns the list, sorted by name, with these streams added. Streams with the same id are replaced. */
export function withStreams<Entry extends NamedStream>(list: Entry[], added: readonly Entry[]): Entry[] {
  if (added.length === 0) return list
  const others = withoutStreams(list, idsOf(added))
  const merged: Entry[] = []
  let taken = 0
  for (const entry of added.toSorted((a, b) => compareCodePoints(a.name, b.name))) {
    const index = findInsertIndex(others, ({ name }) => compareCodePoints(name, entry.name) < 0, taken)
    while (taken < index) merged.push(others[taken++] as Entry)
    merged.push(entry)
  }
  return merged.concat(others.slice(taken))
}

export function withoutStreams<Entry extends NamedStream>(
  list: Entry[],
  ids: ReadonlySet<StreamId>,
): Entry[] {
  return keepOnly(list, ({ stream_id }) => !ids.has(stream_id))
}

/** Returns the list with one stream changed. The stream is moved if its name changed. */
export function changeStream<Entry extends NamedStream>(
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

/** Applies a change to every list of streams in the state. */
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

/** Returns only the fields that every list of streams has. */
export function plainStream(stream: Stream): Stream {
  const given = streamRights.filter((right) => Object.hasOwn(stream, right))
  return Object.fromEntries([...streamFields, ...given].map((field) => [field, stream[field]])) as Stream
}
