/** Removes HTML comments. Templates of pull requests and issues use them for instructions to the author. */
export function withoutHtmlComments(words: string): string {
  let withoutComments = ''
  let at = 0
  // A regular expression would take quadratic time for a text with many unclosed comments.
  for (;;) {
    const start = words.indexOf('<!--', at)
    const end = start === -1 ? -1 : words.indexOf('-->', start + '<!--'.length)
    if (end === -1) break
    withoutComments += words.slice(at, start)
    at = end + '-->'.length
  }
  if (at === 0) return words.trim()
  return (withoutComments + words.slice(at))
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
