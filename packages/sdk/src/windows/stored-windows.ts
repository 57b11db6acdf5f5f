import type { MessageId, UserId } from '@oxbow/contract'
import type { WindowMessage } from './message.ts'
import type { Term } from './narrow.ts'
import type { Segments } from './segments.ts'
import type { Entry } from './store.ts'

/** A window in the form in which it is stored outside of memory, with the ids of its messages. */
export interface StoredWindow {
  readonly narrow: readonly Term[]
  readonly segments: Segments
  readonly anchor: number
}

/** The messages of stored windows, and the names of users in these messages. */
export interface StoredContents {
  readonly messages: ReadonlyMap<MessageId, WindowMessage>
  readonly names: Iterable<readonly [UserId, string]>
}

/**
 * Returns whether a window can be stored: a part of it was fetched, it is not stale, has no
 * undecided messages, and is neither a list of unread messages nor a search.
 */
export const canStore = ({ narrow, segments, isStale, undecided }: Entry): boolean =>
  !isStale &&
  undecided.size === 0 &&
  !narrow.isUnreadOnly &&
  narrow.searchText === undefined &&
  segments.length > 0
