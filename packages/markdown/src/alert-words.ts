const opensBefore = new Set([' ', '\n', '(', '"', '.', ',', "'", ';', '[', '*', '`', '>'])
const endsAfter = new Set([' ', '\n', ')', '?', ':', '.', ',', "'", ';', ']', '!', '*', '`'])

/** Many times what a text of people needs; only words and a text made for each other get here. */
const mostLookups = 50_000

/** Words alike in this are told apart only where a text fits it too. */
type Outline = { length: number; last: string }

/**
 * Which of the words the source holds, code included. They are looked up by how they begin and end and
 * how long they are, so that the words of a whole organization cost little more than those of one person.
 */
export function findAlertWords(source: string, words: ReadonlySet<string>): string[] {
  if (words.size === 0) return []
  const text = source.replaceAll('\r\n', '\n').toLowerCase()
  const outlines = outlinesByFirst(words)
  const found = new Set<string>()
  let lookups = 0
  for (let start = 0; start < text.length; start++) {
    const candidates = outlines.get(text.charAt(start))
    if (!candidates || (start > 0 && !opensBefore.has(text.charAt(start - 1)))) continue
    for (const { length, last } of candidates) {
      const end = start + length
      if (text.charAt(end - 1) !== last || (end < text.length && !endsAfter.has(text.charAt(end)))) continue
      if (lookups++ === mostLookups) return [...found]
      const candidate = text.slice(start, end)
      if (words.has(candidate)) found.add(candidate)
    }
  }
  return [...found]
}

const known = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, Outline[]>>()

/** A server hands in the same set for many messages, so it is sorted once. */
function outlinesByFirst(words: ReadonlySet<string>): ReadonlyMap<string, Outline[]> {
  const sorted = known.get(words) ?? sortByFirst(words)
  known.set(words, sorted)
  return sorted
}

function sortByFirst(words: ReadonlySet<string>): Map<string, Outline[]> {
  const outlines = new Map<string, Outline[]>()
  const seen = new Set<string>()
  for (const word of words) {
    const [first, last] = [word.charAt(0), word.charAt(word.length - 1)]
    const key = `${first}${last}${word.length}`
    if (word === '' || seen.has(key)) continue
    seen.add(key)
    const alike = outlines.get(first)
    if (alike) alike.push({ length: word.length, last })
    else outlines.set(first, [{ length: word.length, last }])
  }
  return outlines
}
