import { fold, matchName, noMatch } from './match-name.ts'

/** Characters between the words of a name. */
const separators = /[\s\-_.,/()›>]+/g
const isAscii = /^[\x20-\x7e]*$/
const isPlain = /^[a-z0-9]+( [a-z0-9]+)*$/

/** Returns the words of a name in folded form, separated by single spaces. */
export function foldWords(name: string): string {
  // Most names are ASCII and need no full folding, which takes ten times as long.
  const folded = isAscii.test(name) ? name.toLowerCase() : fold(name)
  return isPlain.test(folded) ? folded : folded.replace(separators, ' ').trim()
}

/**
 * How closely a name matches; lower is closer: 0 if it begins with the query, 1 if one of its words
 * does, 2 if every typed word begins a word of the name or the initials match. 3 is loose: the name
 * only contains the query.
 */
export type Rank = 0 | 1 | 2 | 3

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

/** Returns whether ranges of a text contain a string. The ranges must be queried in ascending order. */
class Occurrences {
  readonly #text: string
  readonly #wanted: string
  #next = -1

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
  }

  isWithin(start: number, end: number): boolean {
    if (this.#next < start) {
      const found = this.#text.indexOf(this.#wanted, start)
      this.#next = found === -1 ? Number.POSITIVE_INFINITY : found
    }
    return this.#next < end
  }
}

export interface Match<Item> {
  readonly item: Item
  readonly rank: Rank
}

/** Returns the tier of an item; undefined if it must not be found. */
export type TierOf<Item> = (item: Item) => number | undefined

/** Names that are folded once and then searched on every key press. */
export class NameIndex<Item> {
  readonly #items: readonly Item[]
  readonly #nameOf: (item: Item) => string
  /** All folded names, a line each: one long string is searched many times faster than short ones. */
  #text = ''
  readonly #starts: number[] = []

  constructor(items: Iterable<Item>, nameOf: (item: Item) => string) {
    this.#items = [...items]
    this.#nameOf = nameOf
  }

  get isReady(): boolean {
    return this.#starts.length === this.#items.length
  }

  /** Folds further names for at most `maxMs`, so that the work fits between two frames. */
  prepare(maxMs: number): void {
    const end = performance.now() + maxMs
    while (!this.isReady) {
      let start = this.#text.length
      let lines = ''
      for (let count = 0; count < 500 && !this.isReady; count++) {
        const words = foldWords(this.#nameOf(this.#items[this.#starts.length] as Item))
        this.#starts.push(start)
        lines += `${words}\n`
        start += words.length + 1
      }
      this.#text += lines
      if (performance.now() >= end) return
    }
  }

  /**
   * Returns the best matches among the folded names: close ones before loose ones, then by tier,
   * then by rank, then in the order of the items. Accents in the query must match. Items without a
   * tier are left out.
   */
  find(query: string, max: number, tierOf: TierOf<Item> = () => 0): Match<Item>[] {
    // A single letter matches tens of thousands of names, so at most `max` matches of each rank are
    // kept.
    const kinds = new Map<number, Match<Item>[]>()
    this.#visitMatches(query, (item, rank) => {
      const tier = tierOf(item)
      if (tier === undefined) return
      const kind = (rank === 3 ? 1_000 : 0) + tier * 10 + rank
      const found = kinds.get(kind)
      if (!found) kinds.set(kind, [{ item, rank }])
      else if (found.length < max) found.push({ item, rank })
    })
    return [...kinds]
      .sort(([one], [other]) => one - other)
      .flatMap(([, found]) => found)
      .slice(0, max)
  }

  /** Returns all items whose folded name matches, in their order. */
  filter(query: string): Item[] {
    const found: Item[] = []
    this.#visitMatches(query, (item) => found.push(item))
    return found
  }

  #visitMatches(query: string, visit: (item: Item, rank: Rank) => void): void {
    const hasAccents = fold(query) !== query.toLowerCase().normalize('NFD')
    const rankAt = this.#rankFor(foldWords(query))
    for (let place = 0; place < this.#starts.length; place++) {
      const start = this.#starts[place] as number
      const end = (this.#starts[place + 1] ?? this.#text.length) - 1
      const rank = rankAt(start, end)
      if (rank === undefined) continue
      const item = this.#items[place] as Item
      if (hasAccents && matchName(this.#nameOf(item), query) === noMatch) continue
      visit(item, rank)
    }
  }

  /** Returns a function that ranks the name at a range of the text. It must be called in ascending order. */
  #rankFor(typed: string): (start: number, end: number) => Rank | undefined {
    const text = this.#text
    const [firstWord = ''] = typed.split(' ')
    const hasSeveralWords = firstWord !== typed
    const inWord = new Occurrences(text, ` ${typed}`)
    const anywhere = new Occurrences(text, firstWord)
    const firstCode = typed.charCodeAt(0)
    return (start, end) => {
      const hasFirstLetter = text.charCodeAt(start) === firstCode
      if (typed === '' || (hasFirstLetter && text.startsWith(typed, start))) return 0
      if (inWord.isWithin(start, end)) return 1
      if (hasSeveralWords)
        return anywhere.isWithin(start, end) && hasEachWord(text.slice(start, end), typed) ? 2 : undefined
      if (typed.length < 2) return undefined
      if (hasFirstLetter && hasInitials(text.slice(start, end), typed)) return 2
      return anywhere.isWithin(start, end) ? 3 : undefined
    }
  }
}
