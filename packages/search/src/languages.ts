import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemArabic } from './arabic.ts'
import { foldMarks } from './fold.ts'
import { englishFunctionWords, germanFunctionWords } from './function-words.ts'

/** Whose rules a word's stem is found by. */
export type Language = 'en' | 'de' | 'ru' | 'ar'

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  // Accents go first: whoever leaves them out must come to the same stem.
  en: (word) => english(foldMarks(word)),
  de: (word) => german(foldMarks(word)),
  // The rules know й, which is no и with a mark.
  ru: (word) => russian(word.replaceAll('ё', 'е')),
  ar: stemArabic,
}

/** Shorter words have no endings that could be told from them. */
const shortestStemmed = 3

export function stem(language: Language, word: string): string {
  return word.length < shortestStemmed ? word : stemmers[language](word)
}

const latin = /^[\p{sc=Latin}\p{M}]+$/u
const cyrillic = /^[\p{sc=Cyrillic}\p{M}]+$/u
const arabic = /^[\p{sc=Arabic}\p{M}\u0640]+$/u
const ascii = /^[a-z]+$/

/** Which of these languages a word can be of, by its letters alone. */
export function languagesOf(word: string): readonly Language[] {
  if (ascii.test(word) || latin.test(word)) return inLatinLetters
  if (cyrillic.test(word)) return inCyrillicLetters
  return arabic.test(word) ? inArabicLetters : none
}

const inLatinLetters = ['en', 'de'] as const
const inCyrillicLetters = ['ru'] as const
const inArabicLetters = ['ar'] as const
const none = [] as const

const germanLetters = /[äöüß]/

/**
 * Which of the languages in Latin letters a text is in, by the small words in it. The rules of another language find
 * stems where there are none, so they are only used where nothing tells the languages apart.
 */
export function tellApart(words: Iterable<string>): ReadonlySet<Language> {
  let [en, de] = [0, 0]
  for (const word of words) {
    if (englishFunctionWords.has(word)) en++
    if (germanFunctionWords.has(word) || germanLetters.test(word)) de++
  }
  if (en > 2 * de) return onlyEnglish
  return de > 2 * en ? onlyGerman : both
}

const onlyEnglish: ReadonlySet<Language> = new Set(['en', 'ru', 'ar'])
const onlyGerman: ReadonlySet<Language> = new Set(['de', 'ru', 'ar'])
const both: ReadonlySet<Language> = new Set(['en', 'de', 'ru', 'ar'])
