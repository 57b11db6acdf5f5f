import { type CatalogueOf, createTranslate, type RestOf, type TranslateBy } from '@oxbow/texts/translate'
import { computed, signal } from '@preact/signals'
import { en } from './en.generated.ts'
import type { Language, Messages } from './messages.generated.ts'

/** The key of a client text. */
export type Key = keyof Messages

/** English texts: those of the first screen, and all of them after `loadLaterTexts`. */
const english = { ...en } as CatalogueOf<Messages>

const translate = signal<TranslateBy<Messages, Language>>(
  createTranslate<Messages, Language>('en', {}, english),
)

/** The language of the texts. */
export const shownLanguage = computed(() => translate.value.language)

/** Shows texts of another language. Texts that it lacks are shown in English. */
export function showCatalogue(language: Language, catalogue: Partial<CatalogueOf<Messages>> = {}): void {
  translate.value = createTranslate<Messages, Language>(language, catalogue, english)
}

/**
 * Loads the English texts that the first screen does not use; `lazyView` waits for them. Renders
 * nothing again, because no shown text changes.
 */
export async function loadLaterTexts(): Promise<void> {
  const { enLater } = await import('./en-later.generated.ts')
  Object.assign(english, enLater)
}

/** Returns a text of the client by its key, in the language of the reader. Reads a signal. */
export const t = <K extends Key>(key: K, ...rest: RestOf<Messages[K], never>): string =>
  translate.value(key, ...rest)
