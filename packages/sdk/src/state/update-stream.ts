import type { Stream, StreamEvent, StreamId } from '@oxbow/contract'
import { isDefaultOfRight, isStreamRight, type StreamRight } from '@oxbow/contract/plain'
import { renameMutedTopics } from './muted-topics.ts'
import { withFields } from './shared.ts'
import { type State, withFetched } from './state.ts'
import { changeLists, changeStream, plainStream, withoutStreams, withStreams } from './stream-lists.ts'
import { hideSubscribersFromOutsiders, isVisibleWithoutSubscription } from './subscribers.ts'

type StreamUpdate = Extract<StreamEvent, { op: 'update' }>

export function updateStream(state: State, event: StreamUpdate): State {
  const { stream_id, property, value } = event
  const changed = changeLists(state, (list) =>
    changeStream(list, stream_id, (entry) => changeProperty(entry, event)),
  )
  if (property === 'name') return renameMutedTopics(changed, event.name, String(value))
  if (property === 'invite_only') return (value ? closeStream : openStream)(changed, stream_id)
  return changed
}

/** Changes a property if the entry has it. Only current and former subscriptions have `email_address`. */
function changeProperty<Entry extends Stream>(entry: Entry, event: StreamUpdate): Entry {
  if (isStreamRight(event.property)) return changeRight(entry, event.property, event.value)
  if (!Object.hasOwn(entry, event.property)) return entry
  const { property, value, rendered_description, history_public_to_subscribers } = event
  return withFields<Stream>(entry, {
    [property]: value,
    ...(rendered_description !== undefined && { rendered_description }),
    ...(history_public_to_subscribers !== undefined && { history_public_to_subscribers }),
  }) as Entry
}

/** Sets a right, or removes the field if it has its default again. */
function changeRight<Entry extends Stream>(entry: Entry, right: StreamRight, value: unknown): Entry {
  if (!isDefaultOfRight(right, value)) return withFields<Stream>(entry, { [right]: value }) as Entry
  if (!Object.hasOwn(entry, right)) return entry
  const { [right]: _, ...others } = entry
  return others as Entry
}

/**
 * Updates the lists after a stream became private. If the account is not subscribed, the stream is
 * removed from the list of all streams, and only administrators still see its subscribers.
 */
function closeStream(state: State, id: StreamId): State {
  const { streams = [], subscriptions, unsubscribed = [], never_subscribed = [] } = state
  // If subscriptions were not fetched, the account may be subscribed.
  const isSubscribed = !subscriptions || subscriptions.some(({ stream_id }) => stream_id === id)
  return withFetched(state, {
    streams: isSubscribed ? streams : withoutStreams(streams, new Set([id])),
    unsubscribed: changeStream(unsubscribed, id, (entry) => hideSubscribersFromOutsiders(entry, state)),
    never_subscribed: changeStream(never_subscribed, id, (entry) =>
      hideSubscribersFromOutsiders(entry, state),
    ),
  })
}

/** Adds a stream that became public to the list of all streams. Another event contains its subscribers. */
function openStream(state: State, id: StreamId): State {
  const { streams = [], unsubscribed = [], never_subscribed = [] } = state
  const isIt = ({ stream_id }: Stream) => stream_id === id
  const opened = unsubscribed.find(isIt) ?? never_subscribed.find(isIt)
  if (!opened || !isVisibleWithoutSubscription(state, opened) || streams.some(isIt)) return state
  return withFetched(state, { streams: withStreams(streams, [plainStream(opened)]) })
}
