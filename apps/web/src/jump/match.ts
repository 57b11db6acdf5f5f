import { fold, matchName, noMatch } from '../composer/match-name.ts'

/** Characters between the words of a name. */
const separators = /[\s\-_.,/()›>]+/g
const isAscii = /^[\x20-\x7e]*$/

/** Returns the words of a name in folded form, separated by single spaces. */
export function foldWords(name: string): string {
  // Most names need no folding, which takes ten times as long.
  const folded = isAscii.test(name) ? name.toLowerCase() : fold(name)
  return folded.replace(separators, ' ').trim()
}

/** How closely a name matches; lower is closer. 3 is loose: the name only contains the query. */
export type Rank = 0 | 1 | 2 | 3

/**
 * Ranks a folded name against a folded query: 0 if it begins with the query, 1 if one of its words
 * does, 2 if every typed word begins a word of the name or the initials match, 3 if it contains the
 * query.
 */
export function rankWords(words: string, typed: string): Rank | undefined {
  const place = words.indexOf(typed)
  if (place === 0) return 0
  if (place > 0 && (words[place - 1] === ' ' || words.includes(` ${typed}`))) return 1
  if (typed.includes(' ')) return hasEachWord(words, typed) ? 2 : undefined
  if (typed.length < 2) return undefined
  if (hasInitials(words, typed)) return 2
  return place > 0 ? 3 : undefined
}

function hasEachWord(words: string, typed: string): boolean {
  return typed.split(' ').every((word) => words.startsWith(word) || words.includes(` ${word}`))
}

function hasInitials(words: string, typed: string): boolean {
  let start = 0
  for (const letter of typed) {
    if (start === -1 || !words.startsWith(letter, start)) return false
    const gap = words.indexOf(' ', start)
    start = gap === -1 ? -1 : gap + 1
  }
  return true
}

export interface Match<Item> {
  readonly item: Item
  readonly rank: Rank
}

/** Names that are folded once and then searched on every key press. */
export class NameIndex<Item> {
  readonly #items: readonly Item[]
  readonly #nameOf: (item: Item) => string
  readonly #words: string[] = []

  constructor(items: Iterable<Item>, nameOf: (item: Item) => string) {
    this.#items = [...items]
    this.#nameOf = nameOf
  }

  get isReady(): boolean {
    return this.#words.length === this.#items.length
  }

  /** Folds names for at most some milliseconds, so that it can run between frames. */
  prepare(maxMs: number): void {
    const end = performance.now() + maxMs
    while (!this.isReady) {
      for (let count = 0; count < 500 && !this.isReady; count++)
        this.#words.push(foldWords(this.#nameOf(this.#items[this.#words.length] as Item)))
      if (performance.now() >= end) return
    }
  }

  /**
   * Returns the best matches among the folded names: close ones before loose ones, then by tier,
   * then by rank, then in the order of the items. Accents in the query must match.
   */
  find(query: string, max: number, tierOf: (item: Item) => number = () => 0): Match<Item>[] {
    const typed = foldWords(query)
    const hasAccents = fold(query) !== query.toLowerCase().normalize('NFD')
    // A single letter matches tens of thousands of names, so only the first of each rank are kept.
    const kinds = new Map<number, Match<Item>[]>()
    for (let place = 0; place < this.#words.length; place++) {
      const rank = rankWords(this.#words[place] as string, typed)
      if (rank === undefined) continue
      const item = this.#items[place] as Item
      if (hasAccents && matchName(this.#nameOf(item), query) === noMatch) continue
      const kind = (rank === 3 ? 1_000 : 0) + tierOf(item) * 10 + rank
      const found = kinds.get(kind)
      if (!found) kinds.set(kind, [{ item, rank }])
      else if (found.length < max) found.push({ item, rank })
    }
    return [...kinds]
      .sort(([one], [other]) => one - other)
      .flatMap(([, found]) => found)
      .slice(0, max)
  }
}
