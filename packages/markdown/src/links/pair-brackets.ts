const brackets = /[[\]()]/g

/**
 * Where each bracket closes, found in one pass, so that a text full of openers costs no more than
 * any other. An opener that never closes is passed over by the next closer of its kind.
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
