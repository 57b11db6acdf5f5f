import type { StreamId, UnreadMessages } from '@oxbow/contract'
import { createMuteCheck, type IsMuted, knowsMuting } from './muting.ts'
import { type State, withFetched } from './state.ts'
import { recount, removeUnreadOfStreams } from './unread.ts'

export function changeUnread(
  state: State,
  change: (unread: UnreadMessages, isMuted: IsMuted) => UnreadMessages,
): State {
  const { unread_msgs } = state
  return unread_msgs
    ? withFetched(state, { unread_msgs: change(unread_msgs, createMuteCheck(state)) })
    : state
}

/**
 * Drops the unread messages of streams. Call it before the streams are removed, because muted
 * messages are not part of the count.
 */
export function dropUnreadOfStreams(state: State, streams: ReadonlySet<StreamId>): State {
  return changeUnread(state, (unread, isMuted) => removeUnreadOfStreams(unread, streams, isMuted))
}

/** Recounts unread messages. Without data about muting, the count stays the same. */
export function recountUnread(state: State): State {
  return knowsMuting(state) ? changeUnread(state, recount) : state
}
