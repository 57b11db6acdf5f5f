import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import type { WireEncoding } from '../plain/wire.ts'
import { parseJson } from './json-text.ts'

/** An encoded value in a request: text from a form, a query or a path, or a parsed value from a JSON body. */
export type RawValue = string | { readonly parsed: unknown }

/**
 * One parameter of an endpoint. `read` undoes the encoding and leaves validation to the schema;
 * `encode` is the inverse of `read`. No other code depends on the encoding.
 */
export interface Param<Schema extends z.ZodType = z.ZodType> {
  readonly location: 'path' | 'arguments'
  readonly encoding: 'text' | 'json'
  readonly schema: Schema
  readonly description: string
  /** Another name that is accepted for the parameter. */
  readonly alias?: string
  /** The parameter's name in the older product, accepted only from clients of that product. */
  readonly legacyAlias?: string
  /** Whether a parameter in the path accepts any text, instead of digits only. */
  readonly isText?: boolean
  /** Whether a text in the path includes the rest of the path, with slashes. */
  readonly isRest?: boolean
  /** A character that a text in the path must contain. Otherwise the path does not match. */
  readonly requiredCharacter?: '@'
  /** Whether decoding accepts NUL characters, because the action refuses them with its own error. */
  readonly allowsNul?: boolean
  readonly read: (raw: RawValue, name: string) => unknown
  /** How clients encode the parameter. */
  readonly wireEncoding: WireEncoding
}

export interface ParamOptions {
  alias?: string
  legacyAlias?: string
  allowsNul?: boolean
}

/** Declares a parameter of plain text: `status_text=on holiday`. */
export function text<Schema extends z.ZodType<unknown, string | undefined>>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  return {
    location: 'arguments',
    encoding: 'text',
    schema,
    description,
    ...options,
    read: readText,
    wireEncoding: 'text',
  }
}

/**
 * Declares a parameter of text that may be quoted as a JSON string: `full_name=Iris` or
 * `full_name="Iris"`.
 */
export function quotableText<Schema extends z.ZodType<unknown, string | undefined>>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue) => (typeof raw === 'string' ? unquote(raw) : raw.parsed)
  return {
    location: 'arguments',
    encoding: 'text',
    schema,
    description,
    ...options,
    read,
    wireEncoding: 'quotable',
  }
}

/** Declares a parameter of JSON: `role=200`, `profile_data=[{"id":1,"value":"x"}]`. */
export function json<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  return {
    location: 'arguments',
    encoding: 'json',
    schema,
    description,
    ...options,
    read: readJson,
    wireEncoding: 'json',
  }
}

/** Like `json`, for the few parameters whose invalid JSON the protocol reports as a bad value. */
export function convertedJson<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue, name: string) => {
    if (typeof raw !== 'string') return raw.parsed
    try {
      return parseJson(raw)
    } catch {
      throw new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value: raw })
    }
  }
  return {
    location: 'arguments',
    encoding: 'json',
    schema,
    description,
    ...options,
    read,
    wireEncoding: 'json',
  }
}

/**
 * Declares a parameter that is JSON if it can be parsed as such, and plain text otherwise:
 * `to=[7,9]`, `to=42`, `to=garden`. The text `42` is written `to="42"`.
 */
export function jsonOrText<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue) => {
    if (typeof raw !== 'string') return raw.parsed
    return isJson(raw) ? parseJson(raw) : raw
  }
  return {
    location: 'arguments',
    encoding: 'json',
    schema,
    description,
    ...options,
    read,
    wireEncoding: 'jsonOrText',
  }
}

/**
 * Declares a parameter of a decimal number from 0 to 2³²−1. A plus sign and surrounding blanks are
 * accepted.
 */
export function nonNegativeInteger<Schema extends z.ZodType<unknown, number | undefined>>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue, name: string) => {
    const rawText = typeof raw === 'string' ? raw : JSON.stringify(raw.parsed)
    if (/^\s*\+?[0-9]{1,10}\s*$/.test(rawText) && Number(rawText) < 2 ** 32) return Number(rawText)
    throw new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value: rawText })
  }
  return {
    location: 'arguments',
    encoding: 'text',
    schema,
    description,
    ...options,
    read,
    wireEncoding: 'text',
  }
}

/** Declares a parameter of a decimal number that may be negative. */
export function integer<Schema extends z.ZodType<unknown, number | undefined>>(
  schema: Schema,
  description: string,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue, name: string) => {
    const rawText = typeof raw === 'string' ? raw : JSON.stringify(raw.parsed)
    const number = /^-?[0-9]{1,16}$/.test(rawText) ? Number(rawText) : Number.NaN
    if (Number.isSafeInteger(number)) return number
    throw new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value: rawText })
  }
  return {
    location: 'arguments',
    encoding: 'text',
    schema,
    description,
    ...options,
    read,
    wireEncoding: 'text',
  }
}

/**
 * Declares an integer in the path. The router matches only digits, so a path with another text is
 * unknown.
 */
export function path<Schema extends z.ZodType<unknown, number>>(
  schema: Schema,
  description: string,
): Param<Schema> {
  // No id is this large, so the endpoint responds as for any id that does not exist.
  const read = (raw: RawValue) => Math.min(Number(raw), Number.MAX_SAFE_INTEGER)
  return { location: 'path', encoding: 'text', schema, description, read, wireEncoding: 'text' }
}

/** Declares a text in the path, up to the next slash. */
export function textPath<Schema extends z.ZodType<unknown, string>>(
  schema: Schema,
  description: string,
  options: Pick<Param, 'requiredCharacter'> = {},
): Param<Schema> {
  return {
    location: 'path',
    encoding: 'text',
    isText: true,
    schema,
    description,
    ...options,
    read: readText,
    wireEncoding: 'text',
  }
}

/** Declares a text that is the rest of the path and may contain slashes. */
export function restPath<Schema extends z.ZodType<unknown, string>>(
  schema: Schema,
  description: string,
): Param<Schema> {
  return { ...textPath(schema, description), isRest: true }
}

function readText(raw: RawValue): unknown {
  return typeof raw === 'string' ? raw : raw.parsed
}

function unquote(raw: string): string {
  if (!raw.startsWith('"')) return raw
  try {
    const parsed: unknown = JSON.parse(raw)
    return typeof parsed === 'string' ? parsed : raw
  } catch {
    return raw
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text)
    return true
  } catch {
    return false
  }
}

function readJson(raw: RawValue, name: string): unknown {
  if (typeof raw !== 'string') return raw.parsed
  try {
    return parseJson(raw)
  } catch {
    throw new ApiError('ARGUMENT_NOT_JSON', { name })
  }
}
