const brackets = /[[\]()]/g

/**
 * Returns the index of the closing bracket for each opening one. Opening brackets that are never
 * closed have no entry. One pass finds all pairs, so the time is linear even for a text full of
 * opening brackets.
 */
export function pairBrackets(text: string): Map<number, number> {
  const pairs = new Map<number, number>()
  const openSquare: number[] = []
  const openRound: number[] = []
  for (const match of text.matchAll(brackets)) {
    const stack = match[0] === '[' || match[0] === ']' ? openSquare : openRound
    if (match[0] === '[' || match[0] === '(') {
      stack.push(match.index)
      continue
    }
    const opener = stack.pop()
    if (opener !== undefined) pairs.set(opener, match.index)
  }
  return pairs
}
