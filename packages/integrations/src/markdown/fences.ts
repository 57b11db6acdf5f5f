interface Fence {
  marks: string
  language: string
}

/** The rest of the line is checked before the language is read, because both in one pass take quadratic time. */
const openingFence = /^(`{3,}|~{3,})(?=[^`~]*$) *(\S*)/

/**
 * Returns the fences that are open at the end of the text. A fence must begin at the start of a
 * line, and only quotes and spoilers can contain other fences.
 */
function openFences(text: string): Fence[] {
  const open: Fence[] = []
  let hasLines = false
  for (const line of text.split('\n')) {
    const innermost = open.at(-1)
    if (innermost && line.trimEnd() === innermost.marks) {
      // The closing fence of an empty spoiler at the top level does not close it.
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

/** Returns the lines that close the open blocks at the end of the text, innermost first. */
export function closingLines(text: string): string {
  return openFences(text)
    .reverse()
    .map(({ marks, language }) => (language === 'spoiler' ? `\n\n${marks}` : `\n${marks}`))
    .join('')
}

const maxFenceLength = 40

/** Returns the text in a fenced block, whose fence is longer than any in the text. */
export function fence(inside: string, info = ''): string {
  const bounded = inside.replace(/^(?:`{3,}|~{3,})/gm, (marks) => marks.slice(0, maxFenceLength))
  const used = bounded.match(/`{3,}|~{3,}/g) ?? []
  const longest = used.reduce((length, marks) => Math.max(length, marks.length), 2)
  const fence = (bounded.includes('```') ? '~' : '`').repeat(Math.min(longest, maxFenceLength) + 1)
  return `${fence}${info}\n${bounded}\n${fence}`
}
