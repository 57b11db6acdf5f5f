import type { Stream, StreamEvent } from '@oxbow/contract'
import { createStreams } from './create-streams.ts'
import { dropMutedTopics } from './muted-topics.ts'
import { type RegisterOptions, type State, withFetched } from './state.ts'
import { changeLists, idsOf, plainStream, withoutStreams, withStreams } from './stream-lists.ts'
import { isVisibleWithoutSubscription } from './subscribers.ts'
import { dropUnreadOfStreams } from './unread-state.ts'
import { updateStream } from './update-stream.ts'
import { dropUserTopics } from './user-topics.ts'

export function applyStreamEvent(state: State, event: StreamEvent, options: RegisterOptions): State {
  switch (event.op) {
    case 'create':
      return createStreams(state, event.streams, options)
    case 'delete':
      return deleteStreams(state, event.streams)
    case 'update':
      return updateStream(state, event)
    case 'occupy':
      return occupyStreams(state, event.streams)
    default:
      // Other events, including `vacate`, change nothing: streams without subscribers stay listed.
      return state
  }
}

function deleteStreams(state: State, deleted: readonly Stream[]): State {
  const ids = idsOf(deleted)
  const names = new Set(deleted.map(({ name }) => name))
  const changed = changeLists(dropUnreadOfStreams(state, ids), (list) => withoutStreams(list, ids))
  return dropUserTopics(dropMutedTopics(changed, names), ids)
}

function occupyStreams(state: State, occupied: readonly Stream[]): State {
  const { streams = [] } = state
  const known = idsOf(streams)
  const added = occupied.filter(
    (stream) => !known.has(stream.stream_id) && isVisibleWithoutSubscription(state, stream),
  )
  return withFetched(state, { streams: withStreams(streams, added.map(plainStream)) })
}
