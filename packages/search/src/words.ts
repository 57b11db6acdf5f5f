import { gramsOf } from './grams.ts'
import { hash } from './hash.ts'
import { readHtml } from './html-text.ts'
import type { Language } from './languages.ts'
import type { WordRun } from './runs.ts'
import { readText } from './text.ts'
import { formsOf, isFormIn } from './word-forms.ts'

/** The words of a message's HTML as the index has them. */
export function contentWords(html: string): number[] {
  return wordsOf(readHtml(html).text)
}

export function topicWords(topic: string): number[] {
  return wordsOf(topic)
}

/** The topic itself, as if it were one word: searches within a topic look for both. It is given as topics are compared. */
export const topicWord = (folded: string): number => hash(`topic:${folded}`)
export const senderWord = (id: number): number => hash(`sender:${id}`)

function wordsOf(text: string): number[] {
  const { runs, languages } = readText(text)
  const found = new Set<number>()
  for (const run of runs) {
    if (run.kind === 'unspaced') for (const gram of gramsOf(run.folded)) found.add(hash(gram))
    else for (const word of partsOf(run)) addForms(found, word, languages)
  }
  return [...found]
}

function addForms(found: Set<number>, word: string, languages: ReadonlySet<Language>): void {
  for (const form of formsOf(word)) if (isFormIn(form, languages)) found.add(form.number)
}

/** All of it, and its atoms. */
function partsOf({ word, atoms }: WordRun): string[] {
  return atoms.length === 1 && atoms[0]?.word === word ? [word] : [word, ...atoms.map((atom) => atom.word)]
}
