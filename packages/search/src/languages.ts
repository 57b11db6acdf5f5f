import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemArabic } from './arabic.ts'
import { foldMarks } from './fold.ts'
import { englishFunctionWords, germanFunctionWords } from './function-words.ts'

/** Languages with stemming rules. */
export type Language = 'en' | 'de' | 'ru' | 'ar'

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  // Accents are removed first, so that words typed without them have the same stem.
  en: (word) => english(foldMarks(word)),
  de: (word) => german(foldMarks(word)),
  // The stemming rules expect й, which must not become и.
  ru: (word) => russian(word.replaceAll('ё', 'е')),
  ar: stemArabic,
}

/** Shorter words are not stemmed. */
const minStemmedCharacters = 3

export function stem(language: Language, word: string): string {
  return word.length < minStemmedCharacters ? word : stemmers[language](word)
}

const latin = /^[\p{sc=Latin}\p{M}]+$/u
const cyrillic = /^[\p{sc=Cyrillic}\p{M}]+$/u
const arabic = /^[\p{sc=Arabic}\p{M}\u0640]+$/u
const ascii = /^[a-z]+$/

/** Lists the languages that a word may belong to, by its letters. */
export function listLanguages(word: string): readonly Language[] {
  if (ascii.test(word) || latin.test(word)) return inLatinLetters
  if (cyrillic.test(word)) return inCyrillicLetters
  return arabic.test(word) ? inArabicLetters : noLanguages
}

const inLatinLetters = ['en', 'de'] as const
const inCyrillicLetters = ['ru'] as const
const inArabicLetters = ['ar'] as const
const noLanguages = [] as const

const germanLetters = /[äöüß]/

/**
 * Detects the Latin-script languages of a text by its function words. Stemming by rules of the
 * wrong language gives wrong stems, so all languages are used only if nothing distinguishes them.
 */
export function detectLanguages(words: Iterable<string>): ReadonlySet<Language> {
  let [en, de] = [0, 0]
  for (const word of words) {
    if (englishFunctionWords.has(word)) en++
    if (germanFunctionWords.has(word) || germanLetters.test(word)) de++
  }
  if (en > 2 * de) return onlyEnglish
  return de > 2 * en ? onlyGerman : bothLatinLanguages
}

const onlyEnglish: ReadonlySet<Language> = new Set(['en', 'ru', 'ar'])
const onlyGerman: ReadonlySet<Language> = new Set(['de', 'ru', 'ar'])
const bothLatinLanguages: ReadonlySet<Language> = new Set(['en', 'de', 'ru', 'ar'])
