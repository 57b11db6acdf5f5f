/**
 * Characters to remove: PostgreSQL cannot store NUL, and bidirectional marks change how the text
 * after them is shown.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
const harmfulCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Twice the maximum size of a message, so that `fitContent` still marks the message as truncated. */
const maxCharacters = 20_000

export function clean(words: string): string {
  return words.slice(0, maxCharacters).toWellFormed().replace(harmfulCharacters, '')
}
