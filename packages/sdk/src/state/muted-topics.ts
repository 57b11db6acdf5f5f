import type { MutedTopicsEvent } from '@oxbow/contract'
import { changeEach, keepOnly } from './shared.ts'
import { type State, withFetched } from './state.ts'
import { recountUnread } from './unread-state.ts'

export function applyMutedTopics(state: State, { muted_topics }: MutedTopicsEvent): State {
  return recountUnread(withFetched(state, { muted_topics }))
}

/** Renames a stream in the muted topics, which refer to streams by name. */
export function renameMutedTopics(state: State, oldName: string, name: string): State {
  const { muted_topics = [] } = state
  return withFetched(state, {
    muted_topics: changeEach(muted_topics, (muted) => {
      const [stream, topic, since] = muted
      return stream === oldName ? [name, topic, since] : muted
    }),
  })
}

export function dropMutedTopics(state: State, streams: ReadonlySet<string>): State {
  const { muted_topics = [] } = state
  return withFetched(state, { muted_topics: keepOnly(muted_topics, ([stream]) => !streams.has(stream)) })
}
