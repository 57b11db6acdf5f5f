import { ApiError } from '@oxbow/contract'

/** An anchor that is larger than any message id. */
export const newestAnchor = 10_000_000_000_000_000

/**
 * The anchor of a request: a message id, the first unread message, or the first message since a
 * time.
 */
export type Anchor = number | 'first_unread' | Date

interface AnchorParams {
  anchor: string | undefined
  anchor_date: string | undefined
  use_first_unread_anchor: boolean
}

export function parseAnchor({ anchor, anchor_date, use_first_unread_anchor }: AnchorParams): Anchor {
  if (use_first_unread_anchor || anchor === 'first_unread') return 'first_unread'
  if (anchor === undefined) throw new ApiError('ANCHOR_MISSING')
  if (anchor === 'date') {
    if (anchor_date === undefined) throw new ApiError('REQUEST_VARIABLE_MISSING', { var_name: 'anchor_date' })
    return new Date(anchor_date)
  }
  if (anchor === 'newest') return newestAnchor
  if (anchor === 'oldest') return 0
  if (!/^\s*[+-]?\d{1,30}\s*$/.test(anchor)) throw new ApiError('INVALID_ANCHOR')
  return Math.min(Math.max(Number(anchor), 0), newestAnchor)
}

/** The anchor, and the number of messages to read before and after it. */
export interface Page {
  anchor: number
  before: number
  after: number
}

export const isAtEnd = ({ anchor }: Page): boolean => anchor >= newestAnchor
export const isAtBeginning = ({ anchor }: Page): boolean => anchor === 0

/** Builds a page. Nothing is read before the oldest anchor or after the newest anchor. */
export function buildPage(anchor: number, num_before: number, num_after: number): Page {
  return { anchor, before: anchor === 0 ? 0 : num_before, after: anchor >= newestAnchor ? 0 : num_after }
}
