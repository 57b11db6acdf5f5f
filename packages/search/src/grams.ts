/** A character that can be a word by itself. */
const wordCharacter = /^[\p{sc=Han}\p{sc=Hangul}]$/u

/**
 * Yields the index terms of an unspaced run: each pair of adjacent characters, and each character
 * that may be a word.
 */
export function* listGrams(folded: string): Generator<string> {
  let previous = ''
  for (const character of folded) {
    if (wordCharacter.test(character)) yield character
    if (previous) yield previous + character
    previous = character
  }
}

/**
 * Lists the index terms that a part of a run requires. Pairs are enough, as they imply the single
 * characters.
 */
export function listRequiredGrams(folded: string): string[] {
  const characters = [...folded]
  if (characters.length === 1) return wordCharacter.test(folded) ? [folded] : []
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
