const maxTitleCharacters = 200
const maxDescriptionCharacters = 500

/**
 * Characters that could hide or reorder text of the message: controls, marks of writing direction,
 * invisible characters, and private use. Joiners stay, because scripts and emoji need them.
 */
const unwanted =
  /[\p{Cc}\p{Co}\p{Cn}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu
/** More of these on one character would cover the lines above and below. */
const manyMarks = /(\p{M}{4})\p{M}+/gu

export const cleanTitle = (text: string): string => cleanText(text, maxTitleCharacters)
export const cleanDescription = (text: string): string => cleanText(text, maxDescriptionCharacters)

/** Returns a text of a stranger as one line of visible characters, cut where it is too long. */
function cleanText(text: string, maxCharacters: number): string {
  // Longer texts are cut anyway, and some repetitions would take long to clean.
  const clean = text
    .slice(0, maxCharacters * 10)
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(unwanted, '')
    .replace(manyMarks, '$1')
    .trim()
  const characters = [...clean]
  if (characters.length <= maxCharacters) return clean
  return `${characters
    .slice(0, maxCharacters - 1)
    .join('')
    .trimEnd()}…`
}

const maxImageCharacters = 2_000

/** Returns the absolute URL of a picture that a page names, or nothing where it cannot be shown. */
export function cleanImage(image: string, base: string): string {
  const trimmed = image.trim()
  if (trimmed === '' || trimmed.length > maxImageCharacters || !URL.canParse(trimmed, base)) return ''
  const url = new URL(trimmed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ''
  if (url.username !== '' || url.password !== '') return ''
  url.hash = ''
  return url.href.length > maxImageCharacters ? '' : url.href
}
