import { type Language, tellApart } from './languages.ts'
import { type Run, readRuns, type WordRun } from './runs.ts'

/** A text taken apart, for the index and for whoever looks for something in it alike. */
export interface Text {
  text: string
  runs: readonly Run[]
  words: readonly WordRun[]
  languages: ReadonlySet<Language>
}

export function readText(text: string): Text {
  const runs = readRuns(text)
  const words = runs.filter((run) => run.kind === 'word')
  return { text, runs, words, languages: tellApart(words.map(({ word }) => word)) }
}
