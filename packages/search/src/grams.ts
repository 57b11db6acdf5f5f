/** One such character can be a word. */
const aWord = /^[\p{sc=Han}\p{sc=Hangul}]$/u

/** What an unspaced run is found by: each two characters that stand together, and each that may be a word. */
export function* gramsOf(folded: string): Generator<string> {
  let previous = ''
  for (const character of folded) {
    if (aWord.test(character)) yield character
    if (previous) yield previous + character
    previous = character
  }
}

/** What a part of a run must have: fewer, for the pairs hold the single ones. */
export function gramsOfPart(folded: string): string[] {
  const characters = [...folded]
  if (characters.length === 1) return aWord.test(folded) ? [folded] : []
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
