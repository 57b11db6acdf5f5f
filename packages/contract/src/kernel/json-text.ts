/**
 * A number that was written with a fraction or an exponent, like `1.0`. The protocol distinguishes
 * it from the integer 1.
 */
export class FloatText {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Maximum nesting. Valid requests have a few levels; deeper ones are attempts to exhaust the stack. */
const maxDepth = 100

/** Parses JSON. Throws a SyntaxError if the text is not JSON or nests too deeply. */
export function parseJson(text: string): unknown {
  if (text.length > maxDepth && nestsTooDeep(text)) throw new SyntaxError('nested too deep')
  // A reviver makes parsing slow, and only numbers with a fraction or an exponent need it.
  if (!/\d[.eE]/.test(text)) return JSON.parse(text)
  return parseWithSource(text, (_key, value, { source }) =>
    Number.isInteger(value) && source !== undefined && /[.eE]/.test(source) ? new FloatText(source) : value,
  )
}

function nestsTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const mark = text[index]
    if (inString) {
      if (mark === '\\') index++
      else if (mark === '"') inString = false
    } else if (mark === '"') inString = true
    else if (mark === '[' || mark === '{') {
      if (++depth > maxDepth) return true
    } else if (mark === ']' || mark === '}') depth--
  }
  return false
}
