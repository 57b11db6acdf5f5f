/** An element of a pattern: `*` for any number of characters, or a condition for one character. */
type PatternToken = '*' | ((character: string) => boolean)

/**
 * Returns whether the whole text matches a pattern with shell wildcards: `*`, `?`, `[abc]`,
 * `[a-z]`, `[!abc]`. Case-sensitive.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const tokens = parsePattern(pattern)
  const characters = Array.from(text)
  let [index, at] = [0, 0]
  // Positions at which matching continues after the last `*` if the rest of the pattern does not
  // match.
  let [star, from] = [-1, 0]
  while (at < characters.length) {
    const expected = tokens[index]
    if (expected === '*') [star, from, index] = [index, at, index + 1]
    else if (expected?.(characters[at] as string)) [index, at] = [index + 1, at + 1]
    else if (star === -1) return false
    else [index, from, at] = [star + 1, from + 1, from + 1]
  }
  return tokens.slice(index).every((token) => token === '*')
}

function parsePattern(pattern: string): PatternToken[] {
  const parts = pattern.match(/\[!?\][^\]]*\]|\[!?[^\]]+\]|[\s\S]/gu) ?? []
  return parts.map((part) => {
    if (part === '*') return '*'
    if (part === '?') return () => true
    return part.length > 2 && part.startsWith('[')
      ? parseSet(part.slice(1, -1))
      : (character) => character === part
  })
}

function parseSet(inside: string): (character: string) => boolean {
  const isNegated = inside.startsWith('!')
  const ranges = (isNegated ? inside.slice(1) : inside).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? []
  const isIn = (character: string) =>
    ranges.some((range) => {
      const [first = '', , last = first] = Array.from(range)
      return character >= first && character <= last
    })
  return (character) => isIn(character) !== isNegated
}
