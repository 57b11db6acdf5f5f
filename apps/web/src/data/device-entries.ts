/** Entries that this browser keeps of the look; `public/theme.js` reads some before the first paint. */
type EntryName = 'theme' | 'contrast' | 'text-size' | 'home' | 'first-run'

/** Reads an entry; undefined if there is none, or no storage. */
export function readEntry(name: EntryName): string | undefined {
  try {
    return localStorage.getItem(`oxbow.${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Writes or removes an entry; without storage the client works the same, but forgets. */
export function writeEntry(name: EntryName, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`oxbow.${name}`)
    else localStorage.setItem(`oxbow.${name}`, value)
  } catch {
    // Storage is switched off in this browser.
  }
}
