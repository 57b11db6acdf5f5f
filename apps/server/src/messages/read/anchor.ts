import { ApiError } from '@oxbow/contract'

/** An anchor above every message id. */
export const newestAnchor = 10_000_000_000_000_000

/**
 * Parses the anchor of a page. Undefined means the first unread message, which the caller looks up.
 */
export function parseAnchor(anchor: string | undefined, useFirstUnread: boolean): number | undefined {
  if (useFirstUnread || anchor === 'first_unread') return undefined
  if (anchor === undefined) throw new ApiError('ANCHOR_MISSING')
  if (anchor === 'newest') return newestAnchor
  if (anchor === 'oldest') return 0
  if (!/^\s*[+-]?\d{1,30}\s*$/.test(anchor)) throw new ApiError('INVALID_ANCHOR')
  return Math.min(Math.max(Number(anchor), 0), newestAnchor)
}

/** The anchor, and how many messages to read before and after it. */
export interface Page {
  anchor: number
  before: number
  after: number
}

export const isAtEnd = ({ anchor }: Page): boolean => anchor >= newestAnchor
export const isAtBeginning = ({ anchor }: Page): boolean => anchor === 0

/** Builds a page that reads nothing beyond the oldest or newest anchor. */
export function buildPage(anchor: number, num_before: number, num_after: number): Page {
  return { anchor, before: anchor === 0 ? 0 : num_before, after: anchor >= newestAnchor ? 0 : num_after }
}
