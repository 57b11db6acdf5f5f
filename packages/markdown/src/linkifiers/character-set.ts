/** A set of code points, as sorted pairs of first and last code point. */
export type CharacterSet = {
  readonly ranges: readonly (readonly [number, number])[]
  readonly negated: boolean
}

const lastCodePoint = 0x10ffff
const digits = [[48, 57]] as const
const spaces = [
  [9, 13],
  [32, 32],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x3000, 0x3000],
] as const
const letter = /[\p{L}\p{N}_]/u

export const anyButNewline: CharacterSet = { ranges: [[10, 10]], negated: true }

export function single(point: number): CharacterSet {
  return { ranges: [[point, point]], negated: false }
}

/** Returns the set for `\d`, `\w`, `\s` or its opposite, and undefined for any other letter. */
export function shorthand(character: string): CharacterSet | undefined {
  switch (character) {
    case 'd':
      return { ranges: digits, negated: false }
    case 'D':
      return { ranges: digits, negated: true }
    case 's':
      return { ranges: spaces, negated: false }
    case 'S':
      return { ranges: spaces, negated: true }
    case 'w':
      return { ranges: wordRanges(), negated: false }
    case 'W':
      return { ranges: wordRanges(), negated: true }
    default:
      return undefined
  }
}

let cachedWordRanges: [number, number][] | undefined

/** Returns the word characters of all scripts, because `\w` in patterns is not limited to ASCII. */
function wordRanges(): [number, number][] {
  cachedWordRanges ??= collectRanges((point) => letter.test(String.fromCodePoint(point)), 0xffff)
  return cachedWordRanges
}

function collectRanges(belongs: (point: number) => boolean, last: number): [number, number][] {
  const ranges: [number, number][] = []
  for (let point = 0; point <= last; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    if (!belongs(point)) continue
    const previous = ranges.at(-1)
    if (previous && previous[1] === point - 1) previous[1] = point
    else ranges.push([point, point])
  }
  return ranges
}

export function union(sets: readonly CharacterSet[], negated: boolean): CharacterSet {
  const ranges = sets.flatMap((set) =>
    set.negated ? complement(set.ranges) : set.ranges.map(([a, b]) => [a, b] as const),
  )
  return { ranges: merge(ranges), negated }
}

function merge(ranges: (readonly [number, number])[]): [number, number][] {
  const merged: [number, number][] = []
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1)
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last)
    else merged.push([first, last])
  }
  return merged
}

function complement(ranges: CharacterSet['ranges']): [number, number][] {
  const result: [number, number][] = []
  let next = 0
  for (const [first, last] of ranges) {
    if (first > next) result.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  if (next <= lastCodePoint) result.push([next, lastCodePoint])
  return result
}

/**
 * Returns whether the set contains a code point. Uses binary search, as `\w` has many hundred
 * ranges.
 */
export function contains({ ranges, negated }: CharacterSet, point: number): boolean {
  let low = 0
  let high = ranges.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const [first, last] = ranges[middle] as readonly [number, number]
    if (point < first) high = middle - 1
    else if (point > last) low = middle + 1
    else return !negated
  }
  return negated
}
