/** Maximum number of letters that are readable in a small picture. */
const maxInitials = 2
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Returns the first letters of the first and the last word of a name; empty if the name has no
 * letters or numbers.
 */
export function getInitials(full_name: string): string {
  const found = full_name.normalize('NFC').match(words) ?? []
  const chosen = found.length > maxInitials ? [found[0], found.at(-1)] : found
  return chosen.map((word = '') => firstLetter(word)).join('')
}

function firstLetter(word: string): string {
  const [first] = graphemes.segment(word)
  const letter = first?.segment ?? ''
  const large = letter.toUpperCase()
  // The upper-case form of some letters has two letters (ß → SS). Then the lower-case letter is
  // used.
  return [...graphemes.segment(large)].length === 1 ? large : letter
}

/**
 * Returns the first and the last colour of the gradient behind the initials, which depend only on the id. Multiples
 * of the golden angle give consecutive ids very different colours.
 */
export function getInitialsColors(user_id: number): { start: string; end: string } {
  const hue = Math.round((user_id * 137.508) % 360)
  return { start: `hsl(${hue},52%,52%)`, end: `hsl(${(hue + 24) % 360},56%,38%)` }
}
