const currentNames = new Set(Intl.supportedValuesOf('timeZone'))
const lowerCaseNames = new Set([...currentNames].map((name) => name.toLowerCase()))
/** `Intl` accepts further three-letter names, which are ambiguous abbreviations. */
const threeLetterNames = /^(CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/

/**
 * Returns whether this is a name of the tz database, possibly an older one, in its exact spelling.
 */
export function isTimezone(name: string): boolean {
  if (currentNames.has(name)) return true
  if (lowerCaseNames.has(name.toLowerCase()) || !/^[A-Z][A-Za-z0-9_+/-]{2,}$/.test(name)) return false
  if (name.length === 3 && !threeLetterNames.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}
