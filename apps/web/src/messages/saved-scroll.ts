export interface ScrollPosition {
  readonly id: number
  readonly top: number
}

/** Delay after the last scroll, because browsers limit the number of changes of the history. */
const debounceMs = 250
let timer: ReturnType<typeof setTimeout> | undefined

/** Saves the scroll position in the history entry, so that back and reload restore it. */
export function saveScroll(scroll: ScrollPosition | undefined, ended: AbortSignal): void {
  clearTimeout(timer)
  const { href } = location
  timer = setTimeout(() => {
    // Skipped if a link was opened in the meantime, because the entry is then that of another view.
    if (!ended.aborted && location.href === href) history.replaceState({ ...history.state, scroll }, '')
  }, debounceMs)
}

/** Returns the scroll position saved in the history entry; undefined for new entries. */
export function readSavedScroll(): ScrollPosition | undefined {
  return (history.state as { scroll?: ScrollPosition } | null)?.scroll
}
