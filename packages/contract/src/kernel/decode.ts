import { ApiError } from '../api-error.ts'
import type { Endpoint, Params, ParamsOf } from './endpoint.ts'
import type { UploadedFile } from './files.ts'
import type { Param, RawValue } from './params.ts'
import { parseOrRefuse } from './parse-or-refuse.ts'

export interface RawRequest {
  path: Readonly<Record<string, string>>
  arguments: ReadonlyMap<string, RawValue>
  files?: readonly UploadedFile[]
}

export interface DecodeOptions {
  /** Whether to accept the parameter names of the older product. */
  legacyNames?: boolean
}

/**
 * Decodes parameters in the order of their declaration. Throws an `ApiError` for the first invalid
 * parameter, as the protocol requires.
 */
export function decode<E extends Endpoint>(
  declared: E,
  request: RawRequest,
  options: DecodeOptions = {},
): ParamsOf<E> {
  const decoded: Record<string, unknown> = {}
  for (const [name, param] of Object.entries(declared.params as Params)) {
    const raw = param.location === 'path' ? request.path[name] : find(request, name, param, options)
    decoded[name] = raw === undefined ? decodeAbsent(name, param) : decodePresent(name, param, raw)
  }
  if (declared.files && !declared.files.streamed) decoded.files = request.files ?? []
  return decoded as ParamsOf<E>
}

function find(request: RawRequest, name: string, param: Param, options: DecodeOptions): RawValue | undefined {
  if (!param.alias && !(param.legacyAlias && options.legacyNames)) return request.arguments.get(name)
  const names = [name, param.alias, options.legacyNames ? param.legacyAlias : undefined]
  const namesInRequest = names.filter(
    (candidate) => candidate !== undefined && request.arguments.has(candidate),
  )
  const [first, second] = namesInRequest as string[]
  if (first === undefined) return undefined
  if (second !== undefined) {
    throw new ApiError('REQUEST_CONFUSING_VAR', { var_name1: first, var_name2: second })
  }
  return request.arguments.get(first)
}

/** Default values by parameter. Only immutable values are cached, because actions could modify objects. */
const defaults = new WeakMap<Param, { value: unknown }>()

function decodeAbsent(name: string, param: Param): unknown {
  const cached = defaults.get(param)
  if (cached) return cached.value
  const result = param.schema.safeParse(undefined)
  if (!result.success) throw new ApiError('REQUEST_VARIABLE_MISSING', { var_name: name })
  const { data: value } = result
  if (typeof value !== 'object' || value === null) defaults.set(param, { value })
  return value
}

function decodePresent(name: string, param: Param, raw: RawValue): unknown {
  const value = replaceLoneSurrogates(raw, param.read(raw, name))
  // PostgreSQL cannot store NUL in text, and no client sends one on purpose.
  if (!param.allowsNul && hasNul(raw, value)) throw new ApiError('ARGUMENT_HAS_NUL', { name })
  return parseOrRefuse(param.schema, value, name)
}

/**
 * Replaces lone surrogates. They appear where a program cut a text in the middle of a character,
 * and UTF-8 cannot represent them.
 */
function replaceLoneSurrogates(raw: RawValue, value: unknown): unknown {
  return typeof raw !== 'string' || /\\ud[89a-f]/i.test(raw) ? wellFormed(value) : value
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]),
  )
}

function hasNul(raw: RawValue, value: unknown): boolean {
  const mayHold = typeof raw !== 'string' || raw.includes('\0') || raw.includes('\\u0000')
  return mayHold && containsNul(value)
}

function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0')
  if (value === null || typeof value !== 'object') return false
  return Object.entries(value).some(([key, member]) => key.includes('\0') || containsNul(member))
}
