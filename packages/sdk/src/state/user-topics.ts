import type { StreamId, UserTopicEvent } from '@oxbow/contract'
import { Attention, foldTopic } from '@oxbow/contract/plain'
import { keepOnly } from './shared.ts'
import { type State, withFetched } from './state.ts'
import { recountUnread } from './unread-state.ts'

/** The list has the order of the changes, so a changed topic becomes its last one. */
export function applyUserTopic(state: State, { id, type, ...changed }: UserTopicEvent): State {
  const { user_topics = [] } = state
  const folded = foldTopic(changed.topic_name)
  const others = keepOnly(
    user_topics,
    ({ stream_id, topic_name }) => stream_id !== changed.stream_id || foldTopic(topic_name) !== folded,
  )
  const isGone = changed.visibility_policy === Attention.none
  return recountUnread(withFetched(state, { user_topics: isGone ? others : [...others, changed] }))
}

export function dropUserTopics(state: State, streams: ReadonlySet<StreamId>): State {
  const { user_topics = [] } = state
  return withFetched(state, {
    user_topics: keepOnly(user_topics, ({ stream_id }) => !streams.has(stream_id)),
  })
}
