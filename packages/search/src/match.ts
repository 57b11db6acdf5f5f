import { foldCase, foldMarks } from './fold.ts'
import { type HtmlText, readHtml } from './html-text.ts'
import type { Language } from './languages.ts'
import type { Link, Part, QueryPart, SearchQuery, Wanted, Words } from './query.ts'
import { endsName, type WordRun } from './runs.ts'
import { readText, type Text } from './text.ts'
import { formsOf, isFormIn } from './word-forms.ts'

export interface MessageText {
  topic: string
  /** As it was written. */
  content: string
  rendered_content: string
}

/** From a character on, up to another. */
export interface Place {
  start: number
  end: number
}

/** Where a message has what was looked for. */
export interface Match {
  html: HtmlText
  inContent: Place[]
  inTopic: Place[]
}

/** Undefined where something is missing. The one place that says whether a message matches. */
export function matchMessage(query: SearchQuery, message: MessageText): Match | undefined {
  if (query.needs.length === 0) return undefined
  if (!query.phrases.every((phrase) => hasPhrase(message, phrase))) return undefined
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

function hasPhrase({ content, topic }: MessageText, phrase: string): boolean {
  return foldCase(content).includes(phrase) || foldCase(topic).includes(phrase)
}

function findPart(text: Text, part: QueryPart): Place[] {
  return part.kind === 'part' ? findInRuns(text, part) : findWords(text, part)
}

function findInRuns({ runs }: Text, { folded }: Part): Place[] {
  const found: Place[] = []
  for (const run of runs) {
    if (run.kind !== 'unspaced') continue
    for (
      let at = run.folded.indexOf(folded);
      at !== -1;
      at = run.folded.indexOf(folded, at + folded.length)
    ) {
      found.push({ start: run.places[at] as number, end: run.places[at + folded.length] as number })
    }
  }
  return found
}

function findWords(text: Text, { links }: Words): Place[] {
  const found: Place[] = []
  for (const [index, { atoms }] of text.words.entries()) {
    for (let atom = 0; atom < atoms.length; atom++) {
      const end = follow(text, { run: index, atom }, links)
      if (end !== undefined) found.push({ start: atoms[atom]?.start as number, end })
    }
  }
  return found
}

interface Position {
  run: number
  atom: number
}

/** Where the last of the links ends, if they all stand there one after the other. */
function follow(text: Text, from: Position, links: readonly Link[]): number | undefined {
  let at: Position | undefined = from
  let end: number | undefined
  for (const link of links) {
    if (!at || (end !== undefined && !isTogether(text, end, at))) return undefined
    const taken: Taken | undefined = takeWord(text, at, link) ?? takeAtoms(text, at, link)
    if (!taken) return undefined
    end = taken.end
    at = taken.next
  }
  return end
}

interface Taken {
  end: number
  next: Position | undefined
}

/** All of a run, written as one word there or here. */
function takeWord(text: Text, { run, atom }: Position, { word, atoms }: Link): Taken | undefined {
  const here = text.words[run] as WordRun
  if (!isPreceded(text, { run, atom }, atoms[0]?.before)) return undefined
  if (atom !== 0 || !isTaken(here.word, word, text.languages)) return undefined
  return { end: here.end, next: after(text, { run, atom: here.atoms.length - 1 }) }
}

function takeAtoms(text: Text, from: Position, { atoms }: Link): Taken | undefined {
  let at: Position | undefined = from
  let end: number | undefined
  for (const { atom: sought, before } of atoms) {
    const atom = at && text.words[at.run]?.atoms[at.atom]
    if (!at || !atom || !isTaken(atom.word, sought, text.languages)) return undefined
    if (end !== undefined && !isTogether(text, end, at)) return undefined
    if (!isPreceded(text, at, before)) return undefined
    end = atom.end
    at = after(text, at)
  }
  return end === undefined ? undefined : { end, next: at }
}

function after({ words }: Text, { run, atom }: Position): Position | undefined {
  if (atom + 1 < (words[run]?.atoms.length ?? 0)) return { run, atom: atom + 1 }
  return run + 1 < words.length ? { run: run + 1, atom: 0 } : undefined
}

/** By what must stand between it and the atom before it, if anything must. */
function isPreceded({ text, words }: Text, { run, atom }: Position, sign: string | undefined): boolean {
  if (sign === undefined) return true
  const before = atom > 0 ? words[run]?.atoms[atom - 1] : words[run - 1]?.atoms.at(-1)
  return text.slice(before?.end ?? 0, words[run]?.atoms[atom]?.start) === sign
}

function isTogether({ text, words }: Text, end: number, { run, atom }: Position): boolean {
  const start = words[run]?.atoms[atom]?.start as number
  return !endsName.test(text.slice(end, start))
}

function isTaken(word: string, { typed, forms }: Wanted, languages: ReadonlySet<Language>): boolean {
  if (differsInUmlauts(word, typed)) return false
  return formsOf(word).some((form) => forms.has(form.text) && isFormIn(form, languages))
}

const umlaut = /[äöü]/

/** Whoever types an umlaut means it: without, it is often another word. Whoever types none may have no key for it. */
function differsInUmlauts(word: string, typed: string): boolean {
  return umlaut.test(typed) && withSs(word) !== withSs(typed) && foldMarks(word) === foldMarks(typed)
}

const withSs = (word: string): string => word.replaceAll('ß', 'ss')
