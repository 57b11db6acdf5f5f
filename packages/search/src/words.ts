import { listGrams } from './grams.ts'
import { hash } from './hash.ts'
import { readHtml } from './html-text.ts'
import type { Language } from './languages.ts'
import type { WordRun } from './runs.ts'
import { readText } from './text.ts'
import { isFormIn, listForms } from './word-forms.ts'

/** Lists the index terms of a message's HTML. A term is the hash of a word or of a part of one. */
export function listContentTerms(html: string): number[] {
  return listWords(readHtml(html).text)
}

/** Lists the index terms of the words in a topic. */
export function listTopicTerms(topic: string): number[] {
  return listWords(topic)
}

/**
 * Returns the index term of a whole topic, which searches within a topic use. `folded` is the
 * topic, folded as for comparing topics.
 */
export const getTopicTerm = (folded: string): number => hash(`topic:${folded}`)
export const getSenderTerm = (id: number): number => hash(`sender:${id}`)

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

/** Returns the whole word and its parts, which are `user` and `name` for `user_name`. */
function listParts({ word, atoms }: WordRun): string[] {
  return atoms.length === 1 && atoms[0]?.word === word ? [word] : [word, ...atoms.map((atom) => atom.word)]
}
