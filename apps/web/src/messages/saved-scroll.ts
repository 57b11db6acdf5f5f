export interface ScrollPosition {
  readonly id: number
  readonly top: number
}

/** Minimum time between two changes of the history, because browsers limit their number. */
const waitMs = 250
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves the scroll position in the history entry, so that back and reload restore it. */
export function saveScroll(scroll: ScrollPosition | undefined, ended: AbortSignal): void {
  clearTimeout(timer)
  const { href } = location
  timer = setTimeout(() => {
    // A link may have been opened meanwhile, while the list is still shown.
    if (!ended.aborted && location.href === href) history.replaceState({ ...history.state, scroll }, '')
  }, waitMs)
}

/** Returns the scroll position saved in the history entry; undefined for new entries. */
export function readSavedScroll(): ScrollPosition | undefined {
  return (history.state as { scroll?: ScrollPosition } | null)?.scroll
}
