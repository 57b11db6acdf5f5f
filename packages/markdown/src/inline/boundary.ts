const anyBlank = /\s/

/**
 * Returns whether a link or mention may begin here: at the start of a text, or after whitespace or
 * one of a few opening characters.
 */
export function hasLeftBoundary(text: string, at: number): boolean {
  return at === 0 || opensAfter(text.charCodeAt(at - 1))
}

function opensAfter(code: number): boolean {
  switch (code) {
    case 0x20: // space
    case 0x0a: // line break
    case 0x22: // "
    case 0x27: // '
    case 0x28: // (
    case 0x2c: // ,
    case 0x3a: // :
    case 0x3c: // <
      return true
    default:
      // Rare kinds of whitespace are checked last, because nearly all characters are decided above.
      return (code < 0x20 || code >= 0x85) && anyBlank.test(String.fromCharCode(code))
  }
}

const wordCharacter = /[\p{L}\p{N}_]/u

export function isWordCharacter(character: string): boolean {
  return wordCharacter.test(character)
}
