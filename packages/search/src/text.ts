import { detectLanguages, type Language } from './languages.ts'
import { type Run, readRuns, type WordRun } from './runs.ts'

/** A text split into runs, used both for indexing and for matching. */
export interface Text {
  text: string
  runs: readonly Run[]
  words: readonly WordRun[]
  languages: ReadonlySet<Language>
}

export function readText(text: string): Text {
  const runs = readRuns(text)
  const words = runs.filter((run) => run.kind === 'word')
  return { text, runs, words, languages: detectLanguages(words.map(({ word }) => word)) }
}
