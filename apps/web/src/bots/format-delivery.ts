/** A text for display, cut if it is long. */
export interface ShownText {
  readonly text: string
  readonly isCut: boolean
}

/** Longer texts are cut, so that a page with them stays fast and readable. */
export const maxShownCharacters = 10_000

/** Cuts a text from a delivery for display. */
export const cutText = (text: string, max = maxShownCharacters): ShownText =>
  text.length <= max ? { text, isCut: false } : { text: text.slice(0, max).toWellFormed(), isCut: true }

/** Formats the query of a URL, or a form, as one line per field. */
export const formatFields = (encoded: string): ShownText => formatEntries(new URLSearchParams(encoded), ' = ')

/** Formats the headers of a delivery as one line per header. */
export const formatHeaders = (headers: Readonly<Record<string, string>>): ShownText =>
  formatEntries(Object.entries(headers), ': ')

function formatEntries(entries: Iterable<[string, string]>, separator: string): ShownText {
  const lines: ShownText[] = []
  let length = 0
  for (const [name, value] of entries) {
    const { text, isCut } = indentJson(value)
    lines.push({ text: name + separator + text, isCut })
    length += name.length + text.length
    if (length > maxShownCharacters) break
  }
  const shown = cutText(lines.map(({ text }) => text).join('\n'))
  return { text: shown.text, isCut: shown.isCut || lines.some(({ isCut }) => isCut) }
}

/** Formats the body of a delivery: JSON is indented, and forms are shown by field. */
export const formatBody = (body: string, contentType = ''): ShownText =>
  contentType.startsWith('application/x-www-form-urlencoded') ? formatFields(body) : indentJson(body)

/** Deeper levels are not indented further, because a hostile payload could make the text very long. */
const maxIndent = 20

/**
 * Indents a text if it is a JSON object or array. Numbers, escapes and the order of fields stay as they
 * were sent.
 */
function indentJson(text: string): ShownText {
  if (!isJson(text)) return cutText(text)
  let shown = ''
  let depth = 0
  let isInString = false
  let isAfterOpening = false
  const addLine = () => {
    shown += `\n${'  '.repeat(Math.min(depth, maxIndent))}`
  }
  for (let index = 0; index < text.length && shown.length <= maxShownCharacters; index++) {
    const character = text.charAt(index)
    if (isInString) {
      shown += character === '\\' ? character + text.charAt(++index) : character
      isInString = character !== '"'
    } else if (!/\s/.test(character)) {
      const isClosing = character === '}' || character === ']'
      if (isClosing) depth--
      if (isAfterOpening !== isClosing) addLine()
      shown += character
      isAfterOpening = character === '{' || character === '['
      if (isAfterOpening) depth++
      if (character === ',') addLine()
      if (character === ':') shown += ' '
      isInString = character === '"'
    }
  }
  return cutText(shown)
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
