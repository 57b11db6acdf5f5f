/** Returns the name that was most likely meant; undefined if none is close. */
export function findNearestName(misspelt: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(misspelt, name) }))
    .sort((a, b) => a.distance - b.distance)
  // With more than a third of the letters wrong, the name is more likely another word.
  return nearest && nearest.distance <= Math.ceil(misspelt.length / 3) ? nearest.name : undefined
}

/**
 * Returns the Damerau-Levenshtein distance: the number of letters to insert, remove, replace, or swap with a
 * neighbour.
 */
export function editDistance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        row > 1 && column > 1 && isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? 0
