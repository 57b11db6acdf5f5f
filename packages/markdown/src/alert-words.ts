const opensBefore = new Set([' ', '\n', '(', '"', '.', ',', "'", ';', '[', '*', '`', '>'])
const endsAfter = new Set([' ', '\n', ')', '?', ':', '.', ',', "'", ';', ']', '!', '*', '`'])

/** Many times what a text of people needs; only words and a text made for each other get here. */
const mostLookups = 50_000

/** By how words begin: how long they may be, and how those of that length may end. */
type Outlines = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

/**
 * Which of the words the source holds, code included. They are looked up by how they begin and end and
 * how long they are, so that the words of a whole organization cost little more than those of one person.
 */
export function findAlertWords(source: string, words: ReadonlySet<string>): string[] {
  if (words.size === 0) return []
  const text = source.replaceAll('\r\n', '\n').toLowerCase()
  const outlines = outlinesOf(words)
  const found = new Set<string>()
  let lookups = 0
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && !opensBefore.has(text.charAt(start - 1))) continue
    for (const [length, endings] of outlines.get(text.charAt(start)) ?? []) {
      const end = start + length
      // Few places are the end of a word, whatever words there are.
      if (end > text.length || (end < text.length && !endsAfter.has(text.charAt(end)))) continue
      if (!endings.has(text.charAt(end - 1))) continue
      if (lookups++ === mostLookups) return [...found]
      const candidate = text.slice(start, end)
      if (words.has(candidate)) found.add(candidate)
    }
  }
  return [...found]
}

const known = new WeakMap<ReadonlySet<string>, Outlines>()

/** A server hands in the same set for many messages, so it is sorted once. */
function outlinesOf(words: ReadonlySet<string>): Outlines {
  const sorted = known.get(words) ?? sortWords(words)
  known.set(words, sorted)
  return sorted
}

function sortWords(words: ReadonlySet<string>): Outlines {
  const outlines = new Map<string, Map<number, Set<string>>>()
  for (const word of words) {
    if (word === '') continue
    const byLength = outlines.get(word.charAt(0)) ?? new Map<number, Set<string>>()
    outlines.set(word.charAt(0), byLength)
    const endings = byLength.get(word.length) ?? new Set<string>()
    byLength.set(word.length, endings.add(word.charAt(word.length - 1)))
  }
  return outlines
}
