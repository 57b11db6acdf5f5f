import type { CatalogueOf } from '@oxbow/texts/translate'
import { batch, effect, signal } from '@preact/signals'
import type { Language, Messages } from '../../text/messages.generated.ts'
import { showCatalogue, shownLanguage } from '../../text/t.ts'
import { readEntry, writeEntry } from '../device/device-entries.ts'
import { language } from '../store.ts'

/** Languages of the client in the order in which they are offered. */
export const languages: readonly Language[] = ['en', 'de', 'ar']

/** Languages whose texts are not all translated; the missing ones are shown in English. */
export const incompleteLanguages: readonly Language[] = ['ar']

const rightToLeft: readonly Language[] = ['ar']

/** Loaders of the languages. Each language except English is a separate chunk. */
const loaders: Readonly<Record<Language, (() => Promise<Partial<CatalogueOf<Messages>>>) | undefined>> = {
  en: undefined,
  de: () => import('../../text/de.generated.ts').then(({ de }) => de),
  ar: () => import('../../text/ar.generated.ts').then(({ ar }) => ar),
}

/** Returns the language for a code like `de` or `en-gb`; undefined if the client does not have it. */
const findLanguage = (code: string | undefined): Language | undefined =>
  languages.find((each) => each === code?.toLowerCase().split('-')[0])

/**
 * Chooses the language of the account, or else the first language of the browser that the client
 * has, or else English.
 */
const chooseLanguage = (account: string | undefined, browser: readonly string[]): Language =>
  findLanguage(account) ?? browser.flatMap((code) => findLanguage(code) ?? [])[0] ?? 'en'

/** Returns the name of a language, in the language itself. */
export const nameLanguage = (code: Language): string =>
  new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code

const wanted = signal<Language>('en')

/**
 * Shows texts in the language of the account, and follows changes of it. Returns when the language
 * that this device stored is loaded, so that the first screen uses it.
 */
export async function startLanguage(): Promise<void> {
  await show(chooseLanguage(readEntry('language'), navigator.languages))
  effect(() => {
    if (language.value !== undefined) void show(chooseLanguage(language.value, navigator.languages))
  })
}

async function show(code: Language): Promise<void> {
  wanted.value = code
  try {
    const catalogue = await loaders[code]?.()
    // Another language was chosen meanwhile.
    if (wanted.peek() !== code) return
    batch(() => showCatalogue(code, catalogue))
  } catch {
    // The language could not be loaded, for example without a network. The current one stays.
    return
  }
  const direction = rightToLeft.includes(code) ? 'rtl' : 'ltr'
  const root = document.documentElement
  root.lang = shownLanguage.peek()
  if (root.dir !== direction) root.dir = direction
  writeEntry('language', code === 'en' ? undefined : code)
  writeEntry('direction', direction === 'rtl' ? 'rtl' : undefined)
}
