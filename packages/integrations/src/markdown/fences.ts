interface Fence {
  marks: string
  language: string
}

const openingFence = /^(`{3,}|~{3,}) *([^`~\s]*)[^`~]*$/

/**
 * A fence works at the very start of a line; other blocks begin inside a quote or a spoiler only.
 */
function openFences(text: string): Fence[] {
  const open: Fence[] = []
  let hasLines = false
  for (const line of text.split('\n')) {
    const innermost = open.at(-1)
    if (innermost && line.trimEnd() === innermost.marks) {
      // A spoiler without lines does not close.
      if (open.length > 1 || hasLines || innermost.language !== 'spoiler') open.pop()
      continue
    }
    hasLines = innermost !== undefined
    if (innermost && !/^(?:quoted?|spoiler)$/.test(innermost.language)) continue
    const [, marks, language = ''] = openingFence.exec(line) ?? []
    if (marks !== undefined) open.push({ marks, language: language.toLowerCase() })
  }
  return open
}

/** Returns the lines that close the blocks which are open at the end, innermost first. */
export function closingLines(text: string): string {
  return openFences(text)
    .reverse()
    .map(({ marks, language }) => (language === 'spoiler' ? `\n\n${marks}` : `\n${marks}`))
    .join('')
}

const maxFenceLength = 40

/** Returns a fence that is longer than any in the text. */
export function fence(inside: string, info = ''): string {
  const bounded = inside.replace(/^(?:`{3,}|~{3,})/gm, (marks) => marks.slice(0, maxFenceLength))
  const used = bounded.match(/`{3,}|~{3,}/g) ?? []
  const longest = used.reduce((length, marks) => Math.max(length, marks.length), 2)
  const fence = (bounded.includes('```') ? '~' : '`').repeat(Math.min(longest, maxFenceLength) + 1)
  return `${fence}${info}\n${bounded}\n${fence}`
}
