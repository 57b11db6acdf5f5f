import { ApiError } from '@oxbow/contract'

/** Above every id: the end of everything. */
export const newest = 10_000_000_000_000_000

/** The message that a page is about; undefined for the first that is unread, which must be looked up. */
export function readAnchor(anchor: string | undefined, useFirstUnread: boolean): number | undefined {
  if (useFirstUnread || anchor === 'first_unread') return undefined
  if (anchor === undefined) throw new ApiError('ANCHOR_MISSING')
  if (anchor === 'newest') return newest
  if (anchor === 'oldest') return 0
  if (!/^\s*[+-]?\d{1,30}\s*$/.test(anchor)) throw new ApiError('INVALID_ANCHOR')
  return Math.min(Math.max(Number(anchor), 0), newest)
}

/** How many messages on either side of the anchor are looked for. */
export interface Page {
  anchor: number
  before: number
  after: number
}

export const isAtEnd = ({ anchor }: Page): boolean => anchor >= newest
export const isAtBeginning = ({ anchor }: Page): boolean => anchor === 0

/** Beyond an end there is nothing. */
export function pageAround(anchor: number, num_before: number, num_after: number): Page {
  return { anchor, before: anchor === 0 ? 0 : num_before, after: anchor >= newest ? 0 : num_after }
}
