import type { MessageId } from '@oxbow/contract'
import { maxStarredMessages } from '@oxbow/contract/plain'
import { withIds, withoutIds } from './id-lists.ts'
import { type State, withFetched } from './state.ts'

export function starMessages(state: State, ids: readonly MessageId[]): State {
  const { starred_messages = [] } = state
  const starred = withIds(starred_messages, ids)
  const isTooLong = starred.length > maxStarredMessages
  return withFetched(state, { starred_messages: isTooLong ? starred.slice(0, maxStarredMessages) : starred })
}

export function unstarMessages(state: State, ids: readonly MessageId[]): State {
  return withFetched(state, { starred_messages: withoutIds(state.starred_messages ?? [], new Set(ids)) })
}
