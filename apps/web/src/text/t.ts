import { type CatalogueOf, createTranslate, type RestOf, type TranslateBy } from '@oxbow/texts/translate'
import { computed, signal } from '@preact/signals'
import { en } from './en.generated.ts'
import type { Language, Messages } from './messages.generated.ts'

/** The key of a client text. */
export type Key = keyof Messages

const translate = signal<TranslateBy<Messages, Language>>(createTranslate<Messages, Language>('en', {}, en))

/** The language of the texts. */
export const shownLanguage = computed(() => translate.value.language)

/** Shows texts of another language. Texts that it lacks are shown in English. */
export function showCatalogue(language: Language, catalogue: Partial<CatalogueOf<Messages>> = {}): void {
  translate.value = createTranslate<Messages, Language>(language, catalogue, en)
}

/** Returns a text of the client by its key, in the language of the reader. Reads a signal. */
export const t = <K extends Key>(key: K, ...rest: RestOf<Messages[K], never>): string =>
  translate.value(key, ...rest)
