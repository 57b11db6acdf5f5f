/** Strikes through every line of a deleted text. Returns an empty text for a blank text. */
export function strike(words: string): string {
  return (
    words
      .replace(/\r\n?/g, '\n')
      // The Markdown renderer does not allow tildes inside struck text.
      .replaceAll('~~', '')
      .replaceAll('~', '∼')
      .split('\n')
      .map((line) => line.trim())
      .map((line) => (line === '' ? '' : `~~${line}~~`))
      .join('\n')
      .trim()
  )
}
