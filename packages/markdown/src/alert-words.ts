const opensBefore = new Set([' ', '\n', '(', '"', '.', ',', "'", ';', '[', '*', '`', '>'])
const endsAfter = new Set([' ', '\n', ')', '?', ':', '.', ',', "'", ';', ']', '!', '*', '`'])

/** Maximum number of comparisons. Only alert words that were crafted for a text need so many. */
const maxLookups = 50_000

/** Last characters of the words, by their first character and length. */
type WordIndex = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>

/**
 * Returns the words that the source contains, also in code. Words are found by first character,
 * length and last character, so that the words of a whole organization cost little more than those
 * of one user.
 */
export function findAlertWords(source: string, words: ReadonlySet<string>): string[] {
  if (words.size === 0) return []
  const text = source.replaceAll('\r\n', '\n').toLowerCase()
  const index = getWordIndex(words)
  const found = new Set<string>()
  let lookups = 0
  for (let start = 0; start < text.length; start++) {
    if (start > 0 && !opensBefore.has(text.charAt(start - 1))) continue
    for (const [length, endings] of index.get(text.charAt(start)) ?? []) {
      const end = start + length
      // Checked first, because a word can end at few positions of a text.
      if (end > text.length || (end < text.length && !endsAfter.has(text.charAt(end)))) continue
      if (!endings.has(text.charAt(end - 1))) continue
      if (lookups++ === maxLookups) return [...found]
      const candidate = text.slice(start, end)
      if (words.has(candidate)) found.add(candidate)
    }
  }
  return [...found]
}

const wordIndexes = new WeakMap<ReadonlySet<string>, WordIndex>()

/** Returns the index of these words. Cached, because a server passes the same set for many messages. */
function getWordIndex(words: ReadonlySet<string>): WordIndex {
  const index = wordIndexes.get(words) ?? buildWordIndex(words)
  wordIndexes.set(words, index)
  return index
}

function buildWordIndex(words: ReadonlySet<string>): WordIndex {
  const index = new Map<string, Map<number, Set<string>>>()
  for (const word of words) {
    if (word === '') continue
    const byLength = index.get(word.charAt(0)) ?? new Map<number, Set<string>>()
    index.set(word.charAt(0), byLength)
    const endings = byLength.get(word.length) ?? new Set<string>()
    byLength.set(word.length, endings.add(word.charAt(word.length - 1)))
  }
  return index
}
