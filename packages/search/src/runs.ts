import { foldCase } from './fold.ts'

/** A sequence of letters and digits. */
export type Run = WordRun | UnspacedRun

interface Span {
  start: number
  end: number
}

/** A run in a script that has spaces between words. */
export interface WordRun extends Span {
  kind: 'word'
  /** The folded word. */
  word: string
  /** The parts of an identifier, a version or the like. A simple word is its only part. */
  atoms: readonly Atom[]
}

interface Atom extends Span {
  word: string
}

/** A run in a script without spaces, in which any part may be a word. */
interface UnspacedRun extends Span {
  kind: 'unspaced'
  /** The folded text. `offsets` are the positions in the original text of each code unit and of the end. */
  folded: string
  offsets: readonly number[]
}

/**
 * Characters that end a name. Runs with other characters between them are parts of one name:
 * `user_name`, `v1.2`, `example.com/docs`.
 */
export const endsName = /[\s,;|()[\]{}<>]/

const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`
const character = String.raw`[\p{L}\p{M}\p{N}]`
/** Names like C++ and F#, which mean something else without the sign. */
const withSign = String.raw`(?<![a-zA-Z0-9])[a-zA-Z]{1,2}(?:\+\+|#)(?![a-zA-Z0-9])`
const runs = new RegExp(
  `(?<unspaced>[${character}&&${unspaced}]+)|${withSign}|[${character}--${unspaced}]+`,
  'gv',
)
const asciiOnly = /^\p{ASCII}*$/u
const asciiRuns = new RegExp(`${withSign}|[a-zA-Z0-9]+`, 'g')

export function readRuns(text: string): Run[] {
  const found: Run[] = []
  const pattern = asciiOnly.test(text) ? asciiRuns : runs
  for (const match of text.matchAll(pattern)) {
    const [part] = match
    found.push(match.groups?.unspaced ? readUnspaced(part, match.index) : readWord(part, match.index))
  }
  return found
}

const isPlain = /^(?:.{1,2}(?:\+\+|#)|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}+|\p{N}+)$/u
const atoms = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{N}+/gu
/** A word with more atoms is a key or a digest, and nobody searches for its parts. */
const maxAtoms = 16

function readWord(text: string, start: number): WordRun {
  const end = start + text.length
  const word = foldCase(text)
  const itself = { kind: 'word', word, start, end } as const
  if (isPlain.test(text)) return { ...itself, atoms: [{ word, start, end }] }
  const parts = [...text.matchAll(atoms)].map(({ 0: part, index }) => ({
    word: foldCase(part),
    start: start + index,
    end: start + index + part.length,
  }))
  const isDivided = parts.length > 0 && parts.length <= maxAtoms
  return { ...itself, atoms: isDivided ? parts : [{ word, start, end }] }
}

/** A half-width letter may consist of two characters. */
const unit = /[\s\S][\uff9e\uff9f]?/gu

function readUnspaced(text: string, start: number): UnspacedRun {
  let folded = ''
  const offsets: number[] = []
  for (const { 0: part, index } of text.matchAll(unit)) {
    const foldedPart = foldCase(part)
    for (let half = 0; half < foldedPart.length; half++) offsets.push(start + index)
    folded += foldedPart
  }
  offsets.push(start + text.length)
  return { kind: 'unspaced', start, end: start + text.length, folded, offsets }
}
