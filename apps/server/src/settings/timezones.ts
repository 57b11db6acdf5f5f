const usual = new Set(Intl.supportedValuesOf('timeZone'))
const usualInSmallLetters = new Set([...usual].map((name) => name.toLowerCase()))
/** `Intl` knows more of three letters: abbreviations that mean different things in different places. */
const threeLetters = /^(CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/

/** A name of the tz database, be it an older one, spelled as it is there. */
export function isTimezone(name: string): boolean {
  if (usual.has(name)) return true
  if (usualInSmallLetters.has(name.toLowerCase()) || !/^[A-Z][A-Za-z0-9_+/-]{2,}$/.test(name)) return false
  if (name.length === 3 && !threeLetters.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}
