import { foldCase, foldMarks } from './fold.ts'
import { type HtmlText, readHtml } from './html-text.ts'
import type { Language } from './languages.ts'
import type { QueryPart, SearchQuery, SequenceWord, UnspacedPart, WantedWord, WordSequence } from './query.ts'
import { endsName, type WordRun } from './runs.ts'
import { readText, type Text } from './text.ts'
import { isFormIn, listForms } from './word-forms.ts'

export interface MessageText {
  topic: string
  /** The Markdown source. */
  content: string
  rendered_content: string
}

/** A range of characters; `end` is excluded. */
export interface TextRange {
  start: number
  end: number
}

/** The ranges of a message that match a query. */
export interface Match {
  html: HtmlText
  inContent: TextRange[]
  inTopic: TextRange[]
}

/**
 * Returns the matches of a query in a message, or undefined if a part of the query is missing. This
 * function alone decides whether a message matches.
 */
export function matchMessage(query: SearchQuery, message: MessageText): Match | undefined {
  if (query.needs.length === 0) return undefined
  if (!hasPhrases(message, query.phrases)) return undefined
  const html = readHtml(message.rendered_content)
  const content = readText(html.text)
  const topic = readText(message.topic)
  const match: Match = { html, inContent: [], inTopic: [] }
  for (const part of query.parts) {
    const inContent = findPart(content, part)
    const inTopic = findPart(topic, part)
    if (inContent.length + inTopic.length === 0) return undefined
    match.inContent.push(...inContent)
    match.inTopic.push(...inTopic)
  }
  return match
}

function hasPhrases({ content, topic }: MessageText, phrases: readonly string[]): boolean {
  if (phrases.length === 0) return true
  const [foldedContent, foldedTopic] = [foldCase(content), foldCase(topic)]
  return phrases.every((phrase) => foldedContent.includes(phrase) || foldedTopic.includes(phrase))
}

function findPart(text: Text, part: QueryPart): TextRange[] {
  return part.kind === 'part' ? findInRuns(text, part) : findWords(text, part)
}

function findInRuns({ runs }: Text, { folded }: UnspacedPart): TextRange[] {
  const found: TextRange[] = []
  for (const run of runs) {
    if (run.kind !== 'unspaced') continue
    for (
      let at = run.folded.indexOf(folded);
      at !== -1;
      at = run.folded.indexOf(folded, at + folded.length)
    ) {
      found.push({ start: run.offsets[at] as number, end: run.offsets[at + folded.length] as number })
    }
  }
  return found
}

function findWords(text: Text, { links }: WordSequence): TextRange[] {
  const found: TextRange[] = []
  for (const [index, { atoms }] of text.words.entries()) {
    for (let atom = 0; atom < atoms.length; atom++) {
      const end = matchSequence(text, { run: index, atom }, links)
      if (end !== undefined) found.push({ start: atoms[atom]?.start as number, end })
    }
  }
  return found
}

interface Position {
  run: number
  atom: number
}

/** Returns the end of the sequence, if all its words follow each other at this position. */
function matchSequence(text: Text, from: Position, links: readonly SequenceWord[]): number | undefined {
  let at: Position | undefined = from
  let end: number | undefined
  for (const link of links) {
    if (!at || (end !== undefined && !isAdjacent(text, end, at))) return undefined
    const matched: MatchedSpan | undefined = matchWord(text, at, link) ?? matchAtoms(text, at, link)
    if (!matched) return undefined
    end = matched.end
    at = matched.next
  }
  return end
}

interface MatchedSpan {
  end: number
  next: Position | undefined
}

/** Matches a whole run with a whole word of the query. */
function matchWord(
  text: Text,
  { run, atom }: Position,
  { word, atoms }: SequenceWord,
): MatchedSpan | undefined {
  const currentRun = text.words[run] as WordRun
  if (!isPreceded(text, { run, atom }, atoms[0]?.before)) return undefined
  if (atom !== 0 || !isSameWord(currentRun.word, word, text.languages)) return undefined
  return { end: currentRun.end, next: nextPosition(text, { run, atom: currentRun.atoms.length - 1 }) }
}

function matchAtoms(text: Text, from: Position, { atoms }: SequenceWord): MatchedSpan | undefined {
  let at: Position | undefined = from
  let end: number | undefined
  for (const { atom: wanted, before } of atoms) {
    const atom = at && text.words[at.run]?.atoms[at.atom]
    if (!at || !atom || !isSameWord(atom.word, wanted, text.languages)) return undefined
    if (end !== undefined && !isAdjacent(text, end, at)) return undefined
    if (!isPreceded(text, at, before)) return undefined
    end = atom.end
    at = nextPosition(text, at)
  }
  return end === undefined ? undefined : { end, next: at }
}

function nextPosition({ words }: Text, { run, atom }: Position): Position | undefined {
  if (atom + 1 < (words[run]?.atoms.length ?? 0)) return { run, atom: atom + 1 }
  return run + 1 < words.length ? { run: run + 1, atom: 0 } : undefined
}

/** Returns whether the atom is preceded by the required sign. */
function isPreceded({ text, words }: Text, { run, atom }: Position, sign: string | undefined): boolean {
  if (sign === undefined) return true
  const before = atom > 0 ? words[run]?.atoms[atom - 1] : words[run - 1]?.atoms.at(-1)
  return text.slice(before?.end ?? 0, words[run]?.atoms[atom]?.start) === sign
}

function isAdjacent({ text, words }: Text, end: number, { run, atom }: Position): boolean {
  const start = words[run]?.atoms[atom]?.start as number
  return !endsName.test(text.slice(end, start))
}

function isSameWord(word: string, { typed, forms }: WantedWord, languages: ReadonlySet<Language>): boolean {
  if (differsInUmlauts(word, typed)) return false
  return listForms(word).some((form) => forms.has(form.text) && isFormIn(form, languages))
}

const umlaut = /[äöü]/

/**
 * Returns whether the word lacks a typed umlaut. Typed umlauts must match, because a word without
 * them is often another word. Typed words without umlauts match words with them, because the user's
 * keyboard may lack them.
 */
function differsInUmlauts(word: string, typed: string): boolean {
  return (
    umlaut.test(typed) && replaceSharpS(word) !== replaceSharpS(typed) && foldMarks(word) === foldMarks(typed)
  )
}

const replaceSharpS = (word: string): string => word.replaceAll('ß', 'ss')
