import type { StreamId, UnreadMessages } from '@oxbow/contract'
import { type IsMuted, knowsMuting, mutingOf } from './muting.ts'
import { type State, withFetched } from './state.ts'
import { recount, removeUnreadOf } from './unread.ts'

export function changeUnread(
  state: State,
  change: (unread: UnreadMessages, isMuted: IsMuted) => UnreadMessages,
): State {
  const { unread_msgs } = state
  return unread_msgs ? withFetched(state, { unread_msgs: change(unread_msgs, mutingOf(state)) }) : state
}

/** For streams that are still in the state: whether they are muted decides what is counted. */
export function dropUnreadOf(state: State, streams: ReadonlySet<StreamId>): State {
  return changeUnread(state, (unread, isMuted) => removeUnreadOf(unread, streams, isMuted))
}

/** Where nobody can tell what is muted, what was counted before stays. */
export function recountUnread(state: State): State {
  return knowsMuting(state) ? changeUnread(state, recount) : state
}
