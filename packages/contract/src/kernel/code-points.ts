/** The order of the database: by code point. JavaScript's own puts emoji before the end of the basic plane. */
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
