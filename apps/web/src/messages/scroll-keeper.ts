/** Number of rows that can serve as anchor. More than one, because a row may be deleted. */
const maxAnchors = 8
/** A list within this distance of its end is treated as being at its end. */
const bottomPx = 48

/** Matches the rows of sent messages. Previews of videos inside of messages have a `data-id` too. */
export const rowSelector = '.Row[data-id]'

interface Anchor {
  readonly id: string
  /** Distance of the row from the top of the view. */
  readonly top: number
}

/**
 * Keeps the scroll position: when rows are inserted, removed or resized, the anchor stays at its
 * distance from the top of the view. The anchor is the focused row, or else the first visible one.
 */
export class ScrollKeeper {
  readonly #scroller: HTMLElement
  #rows: readonly HTMLElement[] = []
  #anchors: readonly Anchor[] = []
  /** Whether the list is at its end, so that new messages scroll it. */
  isAtBottom = false

  constructor(scroller: HTMLElement) {
    this.#scroller = scroller
  }

  /** Reads the rows of the document again after rendering. */
  readRows(): void {
    this.#rows = [...this.#scroller.querySelectorAll<HTMLElement>(rowSelector)]
  }

  get rows(): readonly HTMLElement[] {
    return this.#rows
  }

  /** Height of the rows below the visible part, in pixels. */
  get distanceToBottom(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller
    return scrollHeight - scrollTop - clientHeight
  }

  /** Records the positions of the rows, after the user scrolled or a position was set. */
  recordPositions(): void {
    const top = this.#scroller.getBoundingClientRect().top
    const start = this.#findFirstVisible(top)
    const anchors = this.#rows.slice(start, start + maxAnchors).map((row) => measure(row, top))
    const focused = this.#findFocused(top)
    this.#anchors = focused ? [measure(focused, top), ...anchors] : anchors
    this.isAtBottom = this.distanceToBottom <= bottomPx
  }

  get anchorId(): number | undefined {
    const id = this.#anchors[0]?.id
    return id === undefined ? undefined : Number(id)
  }

  /** The anchor, with its distance from the top of the view. */
  get anchor(): { id: number; top: number } | undefined {
    const anchor = this.#anchors[0]
    return anchor && { id: Number(anchor.id), top: anchor.top }
  }

  /** Scrolls the anchor back to its recorded position. */
  restore(): void {
    const top = this.#scroller.getBoundingClientRect().top
    for (const anchor of this.#anchors) {
      const row = this.findRow(anchor.id)
      if (!row) continue
      const moved = row.getBoundingClientRect().top - top - anchor.top
      if (Math.abs(moved) >= 0.5) this.#scroller.scrollTop += moved
      return
    }
  }

  /** Scrolls towards the end, but stops where the row `upTo` is near the top of the view. */
  placeAtBottom(upTo?: HTMLElement): void {
    const scroller = this.#scroller
    const end = scroller.scrollHeight - scroller.clientHeight
    const limit = upTo ? scroller.scrollTop + this.#topOf(upTo) - scroller.clientHeight / 8 : end
    scroller.scrollTop = Math.min(end, Math.max(limit, scroller.scrollTop))
    this.recordPositions()
  }

  /** Scrolls a row to a distance from the top of the view. */
  placeRow(row: HTMLElement, top: number): void {
    this.#scroller.scrollTop += this.#topOf(row) - top
    this.recordPositions()
  }

  findRow(id: string | number): HTMLElement | undefined {
    const wanted = Number(id)
    const row = this.#rows[this.#findIndex((row) => Number(row.dataset.id) >= wanted)]
    return row && Number(row.dataset.id) === wanted ? row : undefined
  }

  /** Lists the rows that are at least partly visible. */
  listVisible(): HTMLElement[] {
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const start = this.#findFirstVisible(top)
    const end = this.#findIndex((row) => row.getBoundingClientRect().top >= bottom)
    return this.#rows.slice(start, end)
  }

  #topOf(row: HTMLElement): number {
    return row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top
  }

  #findFirstVisible(top: number): number {
    return this.#findIndex((row) => row.getBoundingClientRect().bottom > top + 1)
  }

  #findFocused(top: number): HTMLElement | undefined {
    const row = document.activeElement?.closest<HTMLElement>(rowSelector)
    if (!row || !this.#scroller.contains(row)) return undefined
    const box = row.getBoundingClientRect()
    return box.bottom > top && box.top < top + this.#scroller.clientHeight ? row : undefined
  }

  /** Returns the index of the first row that matches. All later rows must match too. */
  #findIndex(matches: (row: HTMLElement) => boolean): number {
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      const row = this.#rows[middle]
      if (row && matches(row)) high = middle
      else low = middle + 1
    }
    return low
  }
}

const measure = (row: HTMLElement, top: number): Anchor => ({
  id: row.dataset.id ?? '',
  top: row.getBoundingClientRect().top - top,
})
