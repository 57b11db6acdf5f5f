/**
 * How the value of a parameter is written: as it is, as JSON, as text that is quoted if it begins
 * with a quote, or as text unless it could be read as JSON.
 */
export type WireEncoding = 'text' | 'json' | 'quotable' | 'jsonOrText'

/** The part of an endpoint that a client needs to call it. */
export interface WireEndpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The path, with `{name}` for each parameter in it; `{name*}` may contain slashes. */
  readonly path: string
  /** The parameters that are not in the path, in the order in which they are declared. */
  readonly params: readonly (readonly [name: string, encoding: WireEncoding])[]
  /** Whether a request that is repeated with the same `Idempotency-Key` gets the answer of the first. */
  readonly isIdempotent: boolean
  readonly takesFiles: boolean
}

/** Endpoints in one line each, by group and name, as `wire.generated.ts` has them. */
export type WireTable = Readonly<Record<string, Readonly<Record<string, string>>>>

// Words that stand for flags begin with a character that names of parameters do not have.
const withoutKey = '-key'
const withFiles = '+files'

/** Writes an endpoint as one line: method, path, `name:encoding` for each parameter, flags. */
export function formatWire({ method, path, params, isIdempotent, takesFiles }: WireEndpoint): string {
  const words = params.map(([name, encoding]) => (encoding === 'text' ? name : `${name}:${encoding}`))
  const flags = [
    ...(method !== 'GET' && !isIdempotent ? [withoutKey] : []),
    ...(takesFiles ? [withFiles] : []),
  ]
  return [method, path, ...words, ...flags].join(' ')
}

/** Reads a line of `formatWire`. */
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
