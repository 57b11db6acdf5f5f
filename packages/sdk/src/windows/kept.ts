import type { MessageId, UserId } from '@oxbow/contract'
import type { WindowMessage } from './message.ts'
import type { Term } from './narrow.ts'
import type { Segments } from './segments.ts'
import type { Entry } from './store.ts'

/** A window as it is kept outside of memory, with the ids of its messages. */
export interface KeptWindow {
  readonly narrow: readonly Term[]
  readonly segments: Segments
  readonly anchor: number
}

/** The messages of kept windows, and the names of users as messages have them. */
export interface KeptContents {
  readonly messages: ReadonlyMap<MessageId, WindowMessage>
  readonly names: Iterable<readonly [UserId, string]>
}

/** Whether nothing about the window is open, and it has only what belongs to it. */
export const isKeepable = ({ narrow, segments, isStale, asked }: Entry): boolean =>
  !isStale && asked.size === 0 && !narrow.isOfUnread && narrow.searchText === undefined && segments.length > 0
