import { foldMarks } from './fold.ts'
import { hash } from './hash.ts'
import { type Language, languagesOf, stem } from './languages.ts'

/** A form of a word: two words are the same to a search if they have one in common. */
export interface Form {
  text: string
  /** As the index has it. */
  number: number
  /** Of a stem. */
  language?: Language
}

const remembered = new Map<string, readonly Form[]>()
const mostRemembered = 50_000

/**
 * The stems of a word by any language that it can be of; the word itself only where there is none, for whoever types a
 * word as it is asks for the same stems. Most words of a message were in one before.
 */
export function formsOf(word: string): readonly Form[] {
  const known = remembered.get(word)
  if (known) return known
  const stems = languagesOf(word).map((language) => {
    // With its language in front, so that stems of one never meet those of another.
    const text = `${language}:${foldMarks(stem(language, word))}`
    return { text, number: hash(text), language }
  })
  const exact = foldMarks(word)
  const forms = stems.length > 0 ? stems : [{ text: exact, number: hash(exact) }]
  if (remembered.size >= mostRemembered) remembered.clear()
  remembered.set(word, forms)
  return forms
}

/** Whether a text in these languages has the word in this form. */
export function isFormIn({ language }: Form, languages: ReadonlySet<Language>): boolean {
  return language === undefined || languages.has(language)
}
