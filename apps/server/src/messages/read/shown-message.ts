import type { UserId } from '@oxbow/contract'
import type { MessageRow } from '../../platform/database/tables.ts'

/** On which side of the anchor a message of a page is. */
export type Side = 'before' | 'anchor' | 'after'

/** A message with the reader's flags and read state. */
export interface ShownMessage extends MessageRow {
  side: Side
  /** The Markdown source; empty if the response does not need it. */
  content: string
  /** The HTML; empty if the response does not need it. */
  rendered_content: string
  is_me_message: boolean
  is_received: boolean
  is_unread: boolean
  is_starred: boolean | null
  is_collapsed: boolean | null
  is_mentioned: boolean | null
  has_alert_word: boolean | null
  is_historical: boolean | null
  has_reactions: boolean
  /** Whether there are submessages, which the reader may be unable to see. */
  has_submessages: boolean
  stream_name: string | null
  members: UserId[] | null
  /** HTML with the matches of a search; present only for a search. */
  match_content?: string
  match_subject?: string
}

/** Messages around an anchor, in ascending order of ids and without gaps. */
export interface ShownPage {
  messages: ShownMessage[]
  /** Whether `messages` has the oldest message of the narrow before the anchor, and the newest after it. */
  isEnd: Record<'before' | 'after', boolean>
}

export const countOnSide = (messages: readonly { side: Side }[], side: Side): number =>
  messages.filter((message) => message.side === side).length

/** Sorts the messages of a page by their distance from the anchor, so that a page that is cut short has no gap. */
export function sortFromAnchor(messages: readonly ShownMessage[]): ShownMessage[] {
  const { before = [], anchor = [], after = [] } = Object.groupBy(messages, ({ side }) => side)
  const older = before.toReversed()
  const pairs = Array.from({ length: Math.max(older.length, after.length) }, (_, distance) => [
    older[distance],
    after[distance],
  ])
  return [...anchor, ...pairs.flat()].filter((message) => message !== undefined)
}
