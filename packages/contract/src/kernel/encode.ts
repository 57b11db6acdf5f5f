import type { ArgumentsOf, Endpoint, Params } from './endpoint.ts'
import type { FileToUpload } from './files.ts'
import type { Param } from './params.ts'

export interface EncodedRequest {
  method: Endpoint['method']
  /** The path, with its parameters filled in. */
  path: string
  arguments: URLSearchParams
  files: readonly FileToUpload[]
}

/** Encodes arguments as a request. It is the inverse of `decode`. */
export function encode<E extends Endpoint>(declared: E, args: ArgumentsOf<E>): EncodedRequest {
  const values = args as Record<string, unknown>
  const encoded = new URLSearchParams()
  let path: string = declared.path
  for (const [name, param] of Object.entries(declared.params as Params)) {
    const value = values[name]
    if (value === undefined) continue
    const text = param.write(value as never)
    if (param.location === 'path') path = path.replace(`{${name}}`, encodePath(param, text))
    else encoded.set(name, text)
  }
  const files = declared.files ? ((values.files ?? []) as readonly FileToUpload[]) : []
  return { method: declared.method, path, arguments: encoded, files }
}

/** A replacement function, because `$` in a replacement text would be a pattern. */
function encodePath({ isRest }: Param, text: string): () => string {
  const encoded = isRest ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text)
  return () => encoded
}
