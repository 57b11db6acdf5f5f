import { listGrams } from './grams.ts'
import { hash } from './hash.ts'
import { readHtml } from './html-text.ts'
import type { Language } from './languages.ts'
import type { WordRun } from './runs.ts'
import { readText } from './text.ts'
import { isFormIn, listForms } from './word-forms.ts'

/** Lists the index words of a message's HTML. */
export function contentWords(html: string): number[] {
  return listWords(readHtml(html).text)
}

export function topicWords(topic: string): number[] {
  return listWords(topic)
}

/**
 * Returns the index word of a whole topic, which searches within a topic use. `folded` is the topic
 * as topics are compared.
 */
export const topicWord = (folded: string): number => hash(`topic:${folded}`)
export const senderWord = (id: number): number => hash(`sender:${id}`)

function listWords(text: string): number[] {
  const { runs, languages } = readText(text)
  const found = new Set<number>()
  for (const run of runs) {
    if (run.kind === 'unspaced') for (const gram of listGrams(run.folded)) found.add(hash(gram))
    else for (const word of listParts(run)) addForms(found, word, languages)
  }
  return [...found]
}

function addForms(found: Set<number>, word: string, languages: ReadonlySet<Language>): void {
  for (const form of listForms(word)) if (isFormIn(form, languages)) found.add(form.number)
}

/** Returns the whole word and its atoms. */
function listParts({ word, atoms }: WordRun): string[] {
  return atoms.length === 1 && atoms[0]?.word === word ? [word] : [word, ...atoms.map((atom) => atom.word)]
}
