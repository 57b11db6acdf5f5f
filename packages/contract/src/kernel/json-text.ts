/** A number that was written with a fraction or an exponent, like `1.0`: JSON keeps it apart from the integer 1. */
export class FloatText {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Nothing of ours nests deeper than a handful; what does was made to exhaust whoever walks through it. */
const deepest = 100

/** Throws a SyntaxError on anything that is not JSON, or nested without end. */
export function parseJson(text: string): unknown {
  if (text.length > deepest && nestsTooDeep(text)) throw new SyntaxError('nested too deep')
  // The reviver is slow, and only a number written in this way needs it.
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
      if (++depth > deepest) return true
    } else if (mark === ']' || mark === '}') depth--
  }
  return false
}
