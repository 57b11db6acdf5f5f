/** Not shown, and in the way: NUL cannot be stored, and marks that turn the direction of writing reach past their text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const harmful = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** Twice what a message can hold: the cut is left to be made, and seen, where the message is whole. */
const mostCharacters = 20_000

export function clean(words: string): string {
  return words.slice(0, mostCharacters).toWellFormed().replace(harmful, '')
}
