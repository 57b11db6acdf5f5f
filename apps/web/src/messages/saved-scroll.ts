/** The scroll position of a list. */
export interface ScrollPosition {
  readonly id: number
  readonly top: number
}

/** Browsers limit how often the history can be changed. */
const waitMs = 250
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves the scroll position in the history entry, so that back and reload restore it. */
export function saveScroll(scroll: ScrollPosition | undefined, ended: AbortSignal): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (!ended.aborted) history.replaceState({ ...history.state, scroll }, '')
  }, waitMs)
}

/** Returns the scroll position saved in the history entry; undefined for new entries. */
export function readSavedScroll(): ScrollPosition | undefined {
  return (history.state as { scroll?: ScrollPosition } | null)?.scroll
}
