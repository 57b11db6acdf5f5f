import { foldCase } from './fold.ts'
import { isStopWord } from './function-words.ts'
import { listRequiredGrams } from './grams.ts'
import { hash } from './hash.ts'
import { endsName, type Run, readRuns, type WordRun } from './runs.ts'
import { listForms } from './word-forms.ts'

/** A parsed query. A matching message contains all of its parts. */
export interface SearchQuery {
  parts: readonly QueryPart[]
  /** Quoted phrases, folded. They must occur as typed. */
  phrases: readonly string[]
  /**
   * Lists of index terms: a matching message has at least one term of each list. If there are no
   * lists, nothing matches.
   */
  needs: readonly (readonly number[])[]
}

export type QueryPart = WordSequence | UnspacedPart

/** One word, or several words typed without spaces, which must be adjacent in a message. */
export interface WordSequence {
  kind: 'words'
  links: readonly SequenceWord[]
}

/** A word of a sequence and its atoms, each with the forms that match it. */
export interface SequenceWord {
  word: WantedWord
  atoms: readonly SequenceAtom[]
}

interface SequenceAtom {
  atom: WantedWord
  /**
   * The sign that must precede the atom. Two numbers match only with the same sign between them, as
   * in `1.2`.
   */
  before?: string
}

export interface WantedWord {
  /** The typed word, folded. */
  typed: string
  forms: ReadonlySet<string>
}

/** A part of a run in a script without spaces. */
export interface UnspacedPart {
  kind: 'part'
  folded: string
}

const maxParts = 40
const maxPhrases = 40
/** Limits the words of all parts together, because a message may contain nearly all of them at each position. */
const maxAtoms = 50
/** Limits the index lookups of one query. The other words are checked in the candidates only. */
const maxRequiredWords = 8
const quoted = /"([^"]*)"/g
const scheme = /^[a-z][a-z\d+.-]*:\/\//i

export function parseQuery(text: string): SearchQuery {
  const phrases = [...text.matchAll(quoted)].map(([, phrase]) => foldCase(phrase?.trim() ?? ''))
  const chunks = text.replaceAll('"', ' ').split(/\s+/)
  const all = limitWords(chunks.flatMap((chunk) => parseChunk(chunk.replace(scheme, ''))).slice(0, maxParts))
  const withoutStopWords = all.filter((part) => !isStopPart(part))
  const parts = withoutStopWords.length > 0 ? withoutStopWords : all
  return {
    parts,
    phrases: [...new Set(phrases)].filter((phrase) => phrase !== '').slice(0, maxPhrases),
    needs: chooseSpread(parts.flatMap(listRequiredWords)),
  }
}

/** Leaves out the words at the end that exceed `maxAtoms`. */
function limitWords(parts: readonly QueryPart[]): QueryPart[] {
  let left = maxAtoms
  return parts.flatMap((part): QueryPart[] => {
    if (part.kind === 'part') return [part]
    const links = part.links.filter(({ atoms }) => {
      left -= atoms.length
      return left >= 0
    })
    return links.length > 0 ? [{ ...part, links }] : []
  })
}

function parseChunk(chunk: string): QueryPart[] {
  const parts: QueryPart[] = []
  let joinedRuns: WordRun[] = []
  const end = () => {
    if (joinedRuns.length > 0) parts.push({ kind: 'words', links: buildSequence(chunk, joinedRuns) })
    joinedRuns = []
  }
  for (const run of readRuns(chunk)) {
    if (run.kind === 'word') {
      if (!isJoined(joinedRuns.at(-1), run, chunk)) end()
      joinedRuns.push(run)
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

function buildSequence(chunk: string, runs: readonly WordRun[]): SequenceWord[] {
  let previous: { word: string; end: number } | undefined
  return runs.map(({ word, atoms }) => ({
    word: toWantedWord(word),
    atoms: atoms.map((atom) => {
      const isNumber = previous && number.test(previous.word) && number.test(atom.word)
      const before = isNumber ? { before: chunk.slice(previous?.end, atom.start) } : {}
      previous = atom
      return { atom: toWantedWord(atom.word), ...before }
    }),
  }))
}

/** Uses the forms of all languages, because a query is too short to detect its language. */
const toWantedWord = (typed: string): WantedWord => ({
  typed,
  forms: new Set(listForms(typed).map(({ text }) => text)),
})

function isStopPart(part: QueryPart): boolean {
  if (part.kind === 'part') return false
  const [link, ...others] = part.links
  return others.length === 0 && link !== undefined && isStopWord(link.word.typed)
}

/**
 * Lists the index terms for a part. A message may contain an atom by itself or only its whole word,
 * so the terms of both are accepted.
 */
function listRequiredWords(part: QueryPart): number[][] {
  if (part.kind === 'part') return listRequiredGrams(part.folded).map((gram) => [hash(gram)])
  return part.links.flatMap(({ word, atoms }) =>
    atoms.map(({ atom }) => [...new Set([...listFormNumbers(word.typed), ...listFormNumbers(atom.typed)])]),
  )
}

const listFormNumbers = (word: string): number[] => listForms(word).map(({ number }) => number)

/** Chooses at most `maxRequiredWords` lists, spread over the whole query. */
function chooseSpread(needs: readonly number[][]): number[][] {
  const distinct = [...new Map(needs.map((need) => [need.join(), need])).values()]
  if (distinct.length <= maxRequiredWords) return distinct
  const step = distinct.length / maxRequiredWords
  return Array.from(
    { length: maxRequiredWords },
    (_, index) => distinct[Math.floor(index * step)] as number[],
  )
}
