import { foldCase } from './fold.ts'
import { saysLittle } from './function-words.ts'
import { gramsOfPart } from './grams.ts'
import { hash } from './hash.ts'
import { endsName, type Run, readRuns, type WordRun } from './runs.ts'
import { formsOf } from './word-forms.ts'

/** What someone looks for. All of it must be in a message. */
export interface SearchQuery {
  parts: readonly QueryPart[]
  /** What stood in quotation marks, folded: it must be there as it was typed. */
  phrases: readonly string[]
  /**
   * Words as the index has them: of each list at least one is in any message that matches. Empty where there is nothing
   * to look for; then nothing matches.
   */
  needs: readonly (readonly number[])[]
}

export type QueryPart = Words | Part

/** A word, or several that were typed without a space between them and so stand together. */
export interface Words {
  kind: 'words'
  links: readonly Link[]
}

/** A word of them, with what is taken for it: for all of it, and for each atom. */
export interface Link {
  word: Wanted
  atoms: readonly AtomLink[]
}

export interface AtomLink {
  atom: Wanted
  /** What must stand before it: digits are only the same number with the same sign between them. */
  before?: string
}

export interface Wanted {
  /** As it was typed, folded. */
  typed: string
  forms: ReadonlySet<string>
}

/** A part of a run without spaces. */
export interface Part {
  kind: 'part'
  folded: string
}

const mostParts = 40
/** The rest is looked at in what these find: the index is asked for no more of one query. */
const mostNeeds = 8
const quoted = /"([^"]*)"/g
const scheme = /^[a-z][a-z\d+.-]*:\/\//i

export function parseQuery(text: string): SearchQuery {
  const phrases = [...text.matchAll(quoted)].map(([, phrase]) => foldCase(phrase?.trim() ?? ''))
  const chunks = text.replaceAll('"', ' ').split(/\s+/)
  const all = chunks.flatMap((chunk) => partsOfChunk(chunk.replace(scheme, ''))).slice(0, mostParts)
  const telling = all.filter((part) => !isLittle(part))
  const parts = telling.length > 0 ? telling : all
  return { parts, phrases: phrases.filter((phrase) => phrase !== ''), needs: choose(parts.flatMap(needsOf)) }
}

function partsOfChunk(chunk: string): QueryPart[] {
  const parts: QueryPart[] = []
  let together: WordRun[] = []
  const end = () => {
    if (together.length > 0) parts.push({ kind: 'words', links: linksOf(chunk, together) })
    together = []
  }
  for (const run of readRuns(chunk)) {
    if (run.kind === 'word') {
      if (!isJoined(together.at(-1), run, chunk)) end()
      together.push(run)
    } else {
      end()
      parts.push({ kind: 'part', folded: run.folded })
    }
  }
  end()
  return parts
}

function isJoined(previous: Run | undefined, { start }: Run, chunk: string): boolean {
  return previous !== undefined && !endsName.test(chunk.slice(previous.end, start))
}

const number = /^\p{N}+$/u

function linksOf(chunk: string, runs: readonly WordRun[]): Link[] {
  let previous: { word: string; end: number } | undefined
  return runs.map(({ word, atoms }) => ({
    word: wanted(word),
    atoms: atoms.map((atom) => {
      const isNumber = previous && number.test(previous.word) && number.test(atom.word)
      const before = isNumber ? { before: chunk.slice(previous?.end, atom.start) } : {}
      previous = atom
      return { atom: wanted(atom.word), ...before }
    }),
  }))
}

/** By any language: what someone types is too short to tell. */
const wanted = (typed: string): Wanted => ({
  typed,
  forms: new Set(formsOf(typed).map(({ text }) => text)),
})

function isLittle(part: QueryPart): boolean {
  if (part.kind === 'part') return false
  const [link, ...others] = part.links
  return others.length === 0 && link !== undefined && saysLittle(link.word.typed)
}

/** A word that was written as one may stand for its atoms, and the other way round. */
function needsOf(part: QueryPart): number[][] {
  if (part.kind === 'part') return gramsOfPart(part.folded).map((gram) => [hash(gram)])
  return part.links.flatMap(({ word, atoms }) =>
    atoms.map(({ atom }) => [...new Set([...numbersOf(word.typed), ...numbersOf(atom.typed)])]),
  )
}

const numbersOf = (word: string): number[] => formsOf(word).map(({ number }) => number)

/** From all over what was typed. */
function choose(needs: readonly number[][]): number[][] {
  const distinct = [...new Map(needs.map((need) => [need.join(), need])).values()]
  if (distinct.length <= mostNeeds) return distinct
  const step = distinct.length / mostNeeds
  return Array.from({ length: mostNeeds }, (_, index) => distinct[Math.floor(index * step)] as number[])
}
