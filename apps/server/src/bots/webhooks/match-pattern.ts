/** An element of a pattern: `*` for any number of characters, or a condition for one character. */
type PatternToken = '*' | ((character: string) => boolean)

/**
 * Returns a function that checks whether a whole text matches a pattern with shell wildcards: `*`, `?`,
 * `[abc]`, `[a-z]`, `[!abc]`. Case-sensitive.
 */
export function compilePattern(pattern: string): (text: string) => boolean {
  const tokens = parsePattern(pattern)
  return (text) => matchesTokens(tokens, text)
}

function matchesTokens(tokens: readonly PatternToken[], text: string): boolean {
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
  // Only the part up to the last closing bracket can contain sets. Elsewhere, a set without an end would be
  // searched for from each opening bracket to the end.
  const end = pattern.lastIndexOf(']') + 1
  const parts = pattern.slice(0, end).match(/\[!?\][^\]]*\]|\[!?[^\]]+\]|[\s\S]/gu) ?? []
  return [...parts, ...pattern.slice(end)].map((part) => {
    if (part === '*') return '*'
    if (part === '?') return () => true
    return part.length > 2 && part.startsWith('[')
      ? parseSet(part.slice(1, -1))
      : (character) => character === part
  })
}

function parseSet(inside: string): (character: string) => boolean {
  const isNegated = inside.startsWith('!')
  const parts = (isNegated ? inside.slice(1) : inside).match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? []
  const ranges = parts.map((part) => {
    const [first = '', , last = first] = Array.from(part)
    return { first, last }
  })
  const isIn = (character: string) =>
    ranges.some(({ first, last }) => character >= first && character <= last)
  return (character) => isIn(character) !== isNegated
}
