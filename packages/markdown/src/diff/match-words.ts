export type Change =
  | { kind: 'equal'; newStart: number; newEnd: number }
  | { kind: 'change'; newStart: number; newEnd: number; oldStart: number; oldEnd: number }

type Block = { oldStart: number; newStart: number; length: number }

/**
 * Maximum product of both numbers of words. If it is larger, everything between the common start and
 * end is marked as replaced. This limits the time, and a word diff of such texts would not be readable.
 */
const maxComparisons = 2_000_000

/** Returns the equal and the different ranges of both texts, from start to end. */
export function matchWords(oldWords: readonly string[], newWords: readonly string[]): Change[] {
  const blocks = withoutStrayMatches(
    findBlocks(oldWords, newWords),
    Math.min(oldWords.length, newWords.length),
  )
  const changes: Change[] = []
  let oldAt = 0
  let newAt = 0
  const end: Block = { oldStart: oldWords.length, newStart: newWords.length, length: 0 }
  for (const { oldStart, newStart, length } of [...blocks, end]) {
    if (oldAt < oldStart || newAt < newStart) {
      changes.push({ kind: 'change', newStart: newAt, newEnd: newStart, oldStart: oldAt, oldEnd: oldStart })
    }
    if (length > 0) changes.push({ kind: 'equal', newStart, newEnd: newStart + length })
    oldAt = oldStart + length
    newAt = newStart + length
  }
  return changes
}

/** Removes matches of one or two words between changed ranges, which are usually coincidence. */
function withoutStrayMatches(blocks: readonly Block[], size: number): Block[] {
  const threshold = Math.min(2, size / 4)
  return blocks.filter(({ length }) => length > threshold)
}

function findBlocks(oldWords: readonly string[], newWords: readonly string[]): Block[] {
  const shorter = Math.min(oldWords.length, newWords.length)
  let prefix = 0
  while (prefix < shorter && oldWords[prefix] === newWords[prefix]) prefix++
  let suffix = 0
  while (suffix < shorter - prefix && oldWords.at(-1 - suffix) === newWords.at(-1 - suffix)) suffix++
  const middle = findCommonSubsequence(
    oldWords.slice(prefix, oldWords.length - suffix),
    newWords.slice(prefix, newWords.length - suffix),
  )
  const pairs = [
    ...Array.from({ length: prefix }, (_, index) => [index, index] as const),
    ...middle.map(([oldAt, newAt]) => [oldAt + prefix, newAt + prefix] as const),
    ...Array.from(
      { length: suffix },
      (_, index) => [oldWords.length - suffix + index, newWords.length - suffix + index] as const,
    ),
  ]
  return joinPairs(pairs)
}

function joinPairs(pairs: readonly (readonly [number, number])[]): Block[] {
  const blocks: Block[] = []
  for (const [oldStart, newStart] of pairs) {
    const last = blocks.at(-1)
    if (last && last.oldStart + last.length === oldStart && last.newStart + last.length === newStart)
      last.length++
    else blocks.push({ oldStart, newStart, length: 1 })
  }
  return blocks
}

/** Returns the pairs of a longest common subsequence. */
function findCommonSubsequence(oldWords: readonly string[], newWords: readonly string[]): [number, number][] {
  if (oldWords.length * newWords.length > maxComparisons) return []
  const numbers = new Map<string, number>()
  const [oldNumbers, newNumbers] = [numberWords(oldWords, numbers), numberWords(newWords, numbers)]
  const width = newWords.length + 1
  const lengths = new Uint16Array((oldWords.length + 1) * width)
  for (let oldAt = oldWords.length - 1; oldAt >= 0; oldAt--) {
    const oldNumber = oldNumbers[oldAt]
    for (let newAt = newWords.length - 1, at = oldAt * width + newAt; newAt >= 0; newAt--, at--) {
      const [right, below] = [lengths[at + 1] as number, lengths[at + width] as number]
      lengths[at] =
        oldNumber === newNumbers[newAt]
          ? (lengths[at + width + 1] as number) + 1
          : below > right
            ? below
            : right
    }
  }
  const pairs: [number, number][] = []
  let oldAt = 0
  let newAt = 0
  while (oldAt < oldWords.length && newAt < newWords.length) {
    const at = oldAt * width + newAt
    if (oldNumbers[oldAt] === newNumbers[newAt]) pairs.push([oldAt++, newAt++])
    else if ((lengths[at + width] as number) >= (lengths[at + 1] as number)) oldAt++
    else newAt++
  }
  return pairs
}

/** Gives equal words equal numbers, because numbers are compared faster. */
function numberWords(words: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(words, (word) => {
    const number = numbers.get(word) ?? numbers.size
    numbers.set(word, number)
    return number
  })
}
