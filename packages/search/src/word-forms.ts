import { foldMarks } from './fold.ts'
import { hash } from './hash.ts'
import { type Language, listLanguages, stem } from './languages.ts'

/** A form of a word. Two words are equal for a search if they share a form. */
export interface Form {
  text: string
  /** The number stored in the index. */
  number: number
  /** The language, if the form is a stem. */
  language?: Language
}

const cachedForms = new Map<string, readonly Form[]>()
const maxCachedForms = 50_000

/**
 * Returns the stems of a word in all its possible languages, or the word itself if it has none.
 * Queries use the same stems. Results are cached, because most words occur repeatedly.
 */
export function listForms(word: string): readonly Form[] {
  const cached = cachedForms.get(word)
  if (cached) return cached
  const stems = listLanguages(word).map((language) => {
    // The prefix keeps stems of different languages apart.
    const text = `${language}:${foldMarks(stem(language, word))}`
    return { text, number: hash(text), language }
  })
  const exact = foldMarks(word)
  const forms = stems.length > 0 ? stems : [{ text: exact, number: hash(exact) }]
  if (cachedForms.size >= maxCachedForms) cachedForms.clear()
  cachedForms.set(word, forms)
  return forms
}

/** Returns whether the form is valid in a text in these languages. */
export function isFormIn({ language }: Form, languages: ReadonlySet<Language>): boolean {
  return language === undefined || languages.has(language)
}
