import type { MessageId } from '@oxbow/contract'

/** The part of a segment whose rows are in the document: ids from `first` to `last`. */
export interface Range {
  readonly first: number
  /** Id of the last row; Infinity if new messages are also shown. */
  readonly last: number
}

/** Number of rows on each side with which a list opens: enough for a usual screen, and fast to paint. */
const firstRows = 30
/** Number of rows that are added at a time. More would delay the next frame. */
const addedRows = 25
/** More rows are added when fewer than this many screens of rows remain. */
const screensAhead = 2
/** Maximum number of rows. More would slow down every change of the page. */
export const maxRows = 400

type Ids = readonly MessageId[]

/** Returns the ids that are in the range. `ids` must be ascending. */
export function cutRange(ids: Ids, { first, last }: Range): MessageId[] {
  return ids.slice(
    indexFrom(ids, first),
    last === Number.POSITIVE_INFINITY ? undefined : indexFrom(ids, last + 1),
  )
}

/**
 * Returns the range with which a list opens: `firstRows` rows before and after `at`, or the newest rows
 * if `at` is undefined.
 */
export function openRange(ids: Ids, at: number | undefined, reachesNewest: boolean): Range {
  const index = at === undefined ? ids.length : indexFrom(ids, at)
  return rangeOf(ids, index - firstRows, index + firstRows, reachesNewest)
}

/** Adds rows above, and removes excess rows below. */
export function extendUp(ids: Ids, range: Range, reachesNewest: boolean): Range {
  const { start, end } = indexesOf(ids, range)
  const from = Math.max(0, start - addedRows)
  return rangeOf(ids, from, Math.min(end, from + maxRows), reachesNewest)
}

/** Adds rows below, and removes excess rows above. */
export function extendDown(ids: Ids, range: Range, reachesNewest: boolean): Range {
  const { start, end } = indexesOf(ids, range)
  const to = Math.min(ids.length, end + addedRows)
  return rangeOf(ids, Math.max(start, to - maxRows), to, reachesNewest)
}

/**
 * Limits the number of rows after messages arrived: at the bottom the oldest rows are removed,
 * elsewhere the newest messages are not shown yet. Returns the same range if nothing changes.
 */
export function limitRange(ids: Ids, range: Range, isAtBottom: boolean): Range {
  const { start, end } = indexesOf(ids, range)
  if (end - start <= maxRows) return range
  return isAtBottom ? rangeOf(ids, end - maxRows, end, true) : rangeOf(ids, start, start + maxRows, false)
}

/** Returns whether there are ids above and below the range. */
export function hiddenParts(ids: Ids, range: Range): { above: boolean; below: boolean } {
  const { start, end } = indexesOf(ids, range)
  return { above: start > 0, below: end < ids.length }
}

/** Returns whether the range has so many rows that added ones replace others. */
export function isFull(ids: Ids, range: Range): boolean {
  const { start, end } = indexesOf(ids, range)
  return end - start > maxRows - addedRows
}

/** Sizes of a scrolling element, in pixels. */
export interface ScrollSizes {
  readonly clientHeight: number
  readonly scrollHeight: number
}

/**
 * Returns the distance to an end of the list below which more rows are shown, and the one below
 * which messages are fetched. In a full list, rows that are added at one end are removed at the
 * other, which must not become near by this: the two would alternate with every frame.
 */
export function extendDistances(
  { clientHeight, scrollHeight }: ScrollSizes,
  isListFull: boolean,
): { ahead: number; near: number } {
  const ahead = clientHeight * screensAhead
  const near = isListFull
    ? (scrollHeight - clientHeight) / 2 - (scrollHeight / maxRows) * addedRows
    : Math.max(scrollHeight / 5, clientHeight / 2)
  return { ahead, near: Math.min(ahead, near) }
}

function indexesOf(ids: Ids, { first, last }: Range): { start: number; end: number } {
  return {
    start: indexFrom(ids, first),
    end: last === Number.POSITIVE_INFINITY ? ids.length : indexFrom(ids, last + 1),
  }
}

function rangeOf(ids: Ids, start: number, end: number, reachesNewest: boolean): Range {
  const first = ids[Math.max(0, start)] ?? 0
  const isLast = end >= ids.length
  return {
    first,
    last: isLast && reachesNewest ? Number.POSITIVE_INFINITY : (ids[Math.min(end, ids.length) - 1] ?? 0),
  }
}

/** Returns the index of the first id that is at least `id`. */
function indexFrom(ids: Ids, id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] ?? 0) < id) low = middle + 1
    else high = middle
  }
  return low
}
