const maxTitleCharacters = 200
const maxDescriptionCharacters = 500

/**
 * Characters that could hide or reorder the text of the message: control characters, direction
 * marks, invisible and private-use characters. Joiners are allowed, because some scripts and emoji
 * need them.
 */
const unwanted =
  /[\p{Cc}\p{Co}\p{Cn}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu
/** More than four combining marks on one character would cover the lines above and below. */
const manyMarks = /(\p{M}{4})\p{M}+/gu

export const cleanTitle = (text: string): string => cleanText(text, maxTitleCharacters)
export const cleanDescription = (text: string): string => cleanText(text, maxDescriptionCharacters)

/** Converts an untrusted text to a single line of visible characters and truncates it. */
function cleanText(text: string, maxCharacters: number): string {
  // The text is cut before cleaning, because some long repetitive texts would take too long to
  // clean.
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

/**
 * Returns the absolute URL of a picture that a page refers to, or '' if the picture cannot be
 * shown.
 */
export function cleanImage(image: string, base: string): string {
  const trimmed = image.trim()
  if (trimmed === '' || trimmed.length > maxImageCharacters || !URL.canParse(trimmed, base)) return ''
  const url = new URL(trimmed, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return ''
  if (url.username !== '' || url.password !== '') return ''
  url.hash = ''
  return url.href.length > maxImageCharacters ? '' : url.href
}
