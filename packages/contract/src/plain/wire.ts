/**
 * How a parameter's value is encoded: as plain text, as JSON, as text that is quoted if it begins
 * with a quote, or as text that is quoted if it could be read as JSON.
 */
export type WireEncoding = 'text' | 'json' | 'quotable' | 'jsonOrText'

/** The part of an endpoint that a client needs to call it. */
export interface WireEndpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The path, with `{name}` for each path parameter. `{name*}` may contain slashes. */
  readonly path: string
  /** Parameters that are not in the path, in the order of their declaration. */
  readonly params: readonly (readonly [name: string, encoding: WireEncoding])[]
  /** Whether a retry with the same `Idempotency-Key` gets the response of the first request. */
  readonly isIdempotent: boolean
  readonly takesFiles: boolean
}

/** One line per endpoint, by group and name. `wire.generated.ts` has this table. */
export type WireTable = Readonly<Record<string, Readonly<Record<string, string>>>>

// Flags begin with a character that no parameter name begins with.
const withoutKey = '-key'
const withFiles = '+files'

/** Formats an endpoint as one line: method, path, `name:encoding` for each parameter, flags. */
export function formatWire({ method, path, params, isIdempotent, takesFiles }: WireEndpoint): string {
  const words = params.map(([name, encoding]) => (encoding === 'text' ? name : `${name}:${encoding}`))
  const flags = [
    ...(method !== 'GET' && !isIdempotent ? [withoutKey] : []),
    ...(takesFiles ? [withFiles] : []),
  ]
  return [method, path, ...words, ...flags].join(' ')
}

/** Parses a line that `formatWire` wrote. */
export function parseWire(line: string): WireEndpoint {
  const [method, path = '', ...words] = line.split(' ')
  const params = words
    .filter((word) => word !== withoutKey && word !== withFiles)
    .map((word) => word.split(':') as [string, WireEncoding?])
    .map(([name, encoding = 'text']) => [name, encoding] as const)
  return {
    method: method as WireEndpoint['method'],
    path,
    params,
    isIdempotent: method !== 'GET' && !words.includes(withoutKey),
    takesFiles: words.includes(withFiles),
  }
}
