/** Counts code points, so that an emoji counts as one character. */
export const countCharacters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Compares by code point, as the database does. JavaScript compares UTF-16 units, which sorts emoji
 * differently.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0
  const [left, right] = [a[Symbol.iterator](), b[Symbol.iterator]()]
  for (;;) {
    const [one, other] = [left.next().value, right.next().value]
    if (one === other) continue
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    return (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0)
  }
}
