/** A number that was written with a fraction or an exponent, like `1.0`: JSON keeps it apart from the integer 1. */
export class FloatText {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Throws a SyntaxError on anything that is not JSON. */
export function parseJson(text: string): unknown {
  // The reviver is slow, and only a number written in this way needs it.
  if (!/\d[.eE]/.test(text)) return JSON.parse(text)
  return parseWithSource(text, (_key, value, { source }) =>
    Number.isInteger(value) && source !== undefined && /[.eE]/.test(source) ? new FloatText(source) : value,
  )
}
