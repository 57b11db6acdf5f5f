const strayAmpersand = /&(?!(?:[A-Za-z0-9]+|#[0-9]+|#x[0-9A-Fa-f]+);)/g
const needsEscape = /[&<>"'\0\r]/
// HTML parsers replace these two characters, so the parsed text would differ from the written one.
const replacedByParsers = /[\0\r]/g

/** Escapes text. Entities that the author typed are kept; every other ampersand is escaped. */
export function escapeText(text: string): string {
  return needsEscape.test(text) ? escapeAngles(text.replace(strayAmpersand, '&amp;')) : text
}

export function escapeAttribute(value: string): string {
  return needsEscape.test(value) ? escapeText(value).replaceAll('"', '&quot;') : value
}

/** Escapes inline code, where an entity is shown literally. */
export function escapeInlineCode(code: string): string {
  return needsEscape.test(code) ? escapeAngles(code.replaceAll('&', '&amp;')) : code
}

export function escapeCodeBlock(code: string): string {
  return needsEscape.test(code)
    ? escapeInlineCode(code).replaceAll('"', '&quot;').replaceAll("'", '&#39;')
    : code
}

function escapeAngles(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(replacedByParsers, '\u{fffd}')
}
