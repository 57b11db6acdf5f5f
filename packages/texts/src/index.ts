import { chooseLanguage } from './choose-language.ts'
import { de } from './de.generated.ts'
import { en } from './en.generated.ts'
import type { Language } from './messages.generated.ts'
import { createTranslate, type Translate } from './translate.ts'

export type { Language } from './messages.generated.ts'
export type { Key, Piece, RestOf, Translate } from './translate.ts'

const translations: Readonly<Record<Language, Translate>> = {
  en: createTranslate('en', en),
  de: createTranslate('de', de),
}

/** Returns the texts of a language. */
export const translateTo = (language: Language): Translate => translations[language]

/** Returns the texts in the language that the reader prefers by an `Accept-Language` header. */
export const translateFor = (acceptLanguage: string | undefined): Translate =>
  translations[chooseLanguage(acceptLanguage, ['en', 'de'])]
