/** Returns the form in which names are compared: in lower case, without accents. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The rank of a name that does not match. Lower ranks are better. */
export const noMatch = 4

/**
 * Ranks a name against a query: 0 if it begins with the query, 1 if one of its words does, 2 if the
 * initials match, 3 if it contains the query; `noMatch` otherwise. Case and accents are ignored,
 * except that accents in the query must match.
 */
export function matchName(name: string, query: string): number {
  const hasAccents = fold(query) !== query.toLowerCase().normalize('NFD')
  const typed = hasAccents ? query.toLowerCase().normalize('NFC') : fold(query)
  const text = hasAccents ? name.toLowerCase().normalize('NFC') : fold(name)
  if (text.startsWith(typed)) return 0
  const words = text.split(/[\s\-_.,/()]+/).filter(Boolean)
  if (words.some((_, index) => words.slice(index).join(' ').startsWith(typed))) return 1
  const initials = words.map((word) => [...word][0]).join('')
  if (typed.length > 1 && initials.startsWith(typed)) return 2
  return typed.length > 1 && text.includes(typed) ? 3 : noMatch
}

/**
 * Returns the best matches, at most `max`. Equally good matches are ordered by `tierOf`, then as in
 * the list.
 */
export function findBest<Item>(
  items: Iterable<Item>,
  query: string,
  max: number,
  {
    namesOf,
    tierOf = () => 0,
  }: { namesOf: (item: Item) => readonly string[]; tierOf?: (item: Item) => number },
): Item[] {
  const found: { item: Item; rank: number; tier: number; index: number }[] = []
  let index = 0
  for (const item of items) {
    const rank = query === '' ? 0 : Math.min(...namesOf(item).map((name) => matchName(name, query)), noMatch)
    if (rank < noMatch) found.push({ item, rank, tier: tierOf(item), index })
    index++
  }
  // A name that only contains the query comes after closer matches, whatever their tier.
  const looseness = (rank: number) => (rank === 3 ? 1 : 0)
  return found
    .sort(
      (one, other) =>
        looseness(one.rank) - looseness(other.rank) ||
        one.tier - other.tier ||
        one.rank - other.rank ||
        one.index - other.index,
    )
    .slice(0, max)
    .map(({ item }) => item)
}
