import type { FileToUpload } from '../kernel/files.ts'
import type { WireEncoding, WireEndpoint } from './wire.ts'

export interface EncodedRequest {
  method: WireEndpoint['method']
  /** The path, with its parameters filled in. */
  path: string
  arguments: URLSearchParams
  files: readonly FileToUpload[]
}

/** Encodes arguments as a request: the inverse of `decode`. Undefined arguments are left out. */
export function encode({ method, path, params, takesFiles }: WireEndpoint, args: object): EncodedRequest {
  const values = args as Readonly<Record<string, unknown>>
  const filled = path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) =>
    rest
      ? String(values[name]).split('/').map(encodeURIComponent).join('/')
      : encodeURIComponent(String(values[name])),
  )
  const encoded = new URLSearchParams()
  for (const [name, encoding] of params) {
    const value = values[name]
    if (value !== undefined) encoded.set(name, write[encoding](value))
  }
  const files = takesFiles ? ((values.files ?? []) as readonly FileToUpload[]) : []
  return { method, path: filled, arguments: encoded, files }
}

const write: Record<WireEncoding, (value: unknown) => string> = {
  text: String,
  json: (value) => JSON.stringify(value),
  // Unquoted, a text that begins with a quote would be read as JSON.
  quotable: (value) => (String(value).startsWith('"') ? JSON.stringify(value) : String(value)),
  jsonOrText: (value) => (typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)),
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
