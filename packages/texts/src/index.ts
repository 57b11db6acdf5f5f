import { chooseLanguage } from './choose-language.ts'
import { de } from './de.generated.ts'
import { en } from './en.generated.ts'
import type { Language, Messages } from './messages.generated.ts'
import { createTranslate, type RestOf as RestOfArguments, type TranslateBy } from './translate.ts'

export type { Language } from './messages.generated.ts'

/** The key of a text in the server's pages and e-mails. */
export type Key = keyof Messages
/** The arguments that follow the key of a text. Empty if the text has none. */
export type RestOf<K extends Key, Markup> = RestOfArguments<Messages[K], Markup>
/** Returns texts of the server's pages and e-mails in one language. */
export type Translate = TranslateBy<Messages, Language>

const translations: Readonly<Record<Language, Translate>> = {
  en: createTranslate('en', {}, en),
  de: createTranslate('de', de, en),
}

/** Returns the texts of a language. */
export const translateTo = (language: Language): Translate => translations[language]

/** Returns the texts in the language that the reader prefers by an `Accept-Language` header. */
export const translateFor = (acceptLanguage: string | undefined): Translate =>
  translations[chooseLanguage(acceptLanguage, ['en', 'de'])]
