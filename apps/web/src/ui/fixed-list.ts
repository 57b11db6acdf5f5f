/** The range of rows that are rendered: from `first` up to but excluding `last`. */
export interface RowRange {
  first: number
  last: number
}

/** Number of rows rendered beyond each end of the visible part, so that scrolling shows no gaps. */
const spareRows = 8

/** Returns the rows to render for a scroll position. All lengths are in pixels. */
export function findRowRange(scrollTop: number, height: number, rowHeight: number, count: number): RowRange {
  const firstVisible = Math.floor(Math.max(0, scrollTop) / rowHeight)
  const first = Math.max(0, Math.min(firstVisible, count - 1) - spareRows)
  const last = Math.min(count, firstVisible + Math.ceil(height / rowHeight) + 1 + spareRows)
  return { first, last: Math.max(first, last) }
}

/**
 * Returns the scroll position at which a row is visible. That is the current one if the row is
 * visible already.
 */
export function scrollTopFor(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const [start, end] = [row * rowHeight, (row + 1) * rowHeight]
  if (start < scrollTop) return start
  return end > scrollTop + height ? end - height : scrollTop
}

/**
 * Returns the row that gets the focus after a key press; undefined if the key does not move the
 * focus.
 */
export function findNextRow(
  key: string,
  row: number,
  rowsPerPage: number,
  count: number,
): number | undefined {
  const target = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + rowsPerPage,
    PageUp: row - rowsPerPage,
    Home: 0,
    End: count - 1,
  }[key]
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target))
}

/** Returns the pixels of a length in rem, at the text size that the user chose. */
export const pixelsOf = (rem: number): number =>
  rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
