/**
 * Display settings that this browser stores; `public/theme.js` reads some of them before the first
 * paint.
 */
type EntryName =
  | 'theme'
  | 'contrast'
  | 'text-size'
  | 'home'
  | 'first-run'
  | 'folded-sections'
  | 'notifications'
  | 'single-keys'
  | 'language'
  | 'direction'

/** Reads an entry; undefined if it is missing or storage is disabled. */
export function readEntry(name: EntryName): string | undefined {
  try {
    return localStorage.getItem(`oxbow.${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Writes or removes an entry. If storage is disabled, the setting lasts until the page is closed. */
export function writeEntry(name: EntryName, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`oxbow.${name}`)
    else localStorage.setItem(`oxbow.${name}`, value)
  } catch {
    // Storage is disabled in this browser.
  }
}
