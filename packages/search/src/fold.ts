/** Returns the form in which texts are compared, without differences in case and width of letters. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/**
 * Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic letters, and the Arabic
 * stretching mark (tatweel).
 */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
/**
 * Replacements of letters that Unicode does not decompose, as people type them without the right
 * keyboard.
 */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
}
const special = /[ßæœøđłıأإآىة]/g
const ascii = /^[\x20-\x7e]*$/

/** Removes accents from a folded text. */
export function foldMarks(folded: string): string {
  if (ascii.test(folded)) return folded
  return folded
    .replace(special, (letter) => plain[letter] ?? letter)
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
}
