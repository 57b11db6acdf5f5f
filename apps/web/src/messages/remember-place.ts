/** Where a list is scrolled to. */
export interface ListPlace {
  readonly id: number
  readonly top: number
}

/** Browsers limit how often the history may be changed. */
const waitMs = 250
let timer: ReturnType<typeof setTimeout> | undefined

/** Remembers with the entry of the history where its list is, so that back and reload return there. */
export function rememberPlace(place: ListPlace | undefined, ended: AbortSignal): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (!ended.aborted) history.replaceState({ ...history.state, place }, '')
  }, waitMs)
}

/** Returns where the list was when this entry of the history was left; undefined for new entries. */
export function recallPlace(): ListPlace | undefined {
  return (history.state as { place?: ListPlace } | null)?.place
}
