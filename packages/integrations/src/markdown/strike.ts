/** What someone wrote and took back: every line struck through. Nothing, if there is nothing to strike. */
export function strike(words: string): string {
  return (
    words
      .replace(/\r\n?/g, '\n')
      // Between the marks our Markdown suffers none of them.
      .replaceAll('~~', '')
      .replaceAll('~', '∼')
      .split('\n')
      .map((line) => line.trim())
      .map((line) => (line === '' ? '' : `~~${line}~~`))
      .join('\n')
      .trim()
  )
}
