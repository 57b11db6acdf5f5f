import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import { parseJson } from './json-text.ts'

/** A value as it came in: text from a form, a query or a path, or a value that a JSON body already holds. */
export type RawValue = string | { readonly parsed: unknown }

/**
 * One parameter of an endpoint. `read` undoes its encoding and leaves checking to the schema; `write` is the
 * opposite. Nothing else knows how a parameter travels.
 */
export interface Param<Schema extends z.ZodType = z.ZodType> {
  readonly place: 'path' | 'arguments'
  readonly encoding: 'text' | 'json'
  readonly schema: Schema
  /** Another name under which the parameter may come. */
  readonly alias?: string
  /** A name of the older product, accepted only from its clients. */
  readonly legacyAlias?: string
  /** In the path: any text, not only digits. */
  readonly isText?: boolean
  /** In the path: a character without which a text is another path. */
  readonly holds?: '@'
  /** NUL characters are left to whoever reads the value, who has better words for them. */
  readonly mayHoldNul?: boolean
  readonly read: (raw: RawValue, name: string) => unknown
  readonly write: (value: z.input<Schema>) => string
}

export interface ParamOptions {
  alias?: string
  legacyAlias?: string
  mayHoldNul?: boolean
}

/** Travels as it is: `status_text=on holiday`. */
export function text<Schema extends z.ZodType<unknown, string | undefined>>(
  schema: Schema,
  options: ParamOptions = {},
): Param<Schema> {
  return { place: 'arguments', encoding: 'text', schema, ...options, read: readText, write: String }
}

/** Text that may also come as one JSON string: `full_name=Iris` or `full_name="Iris"`. */
export function quotableText<Schema extends z.ZodType<unknown, string | undefined>>(
  schema: Schema,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue) => (typeof raw === 'string' ? unquote(raw) : raw.parsed)
  // What begins with a quote itself would be taken for a quoted one.
  const write = (value: unknown) => (String(value).startsWith('"') ? JSON.stringify(value) : String(value))
  return { place: 'arguments', encoding: 'text', schema, ...options, read, write }
}

/** Travels as JSON inside the text: `role=200`, `profile_data=[{"id":1,"value":"x"}]`. */
export function json<Schema extends z.ZodType>(schema: Schema, options: ParamOptions = {}): Param<Schema> {
  return { place: 'arguments', encoding: 'json', schema, ...options, read: readJson, write: writeJson }
}

/** As `json`, for the few parameters whose bad JSON the protocol calls a bad value. */
export function convertedJson<Schema extends z.ZodType>(
  schema: Schema,
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
  return { place: 'arguments', encoding: 'json', schema, ...options, read, write: writeJson }
}

/**
 * Travels as JSON where it is read as such, otherwise as the text that it is: `to=[7,9]`, `to=42`, `to=garden`. The text
 * `42` is written `to="42"`.
 */
export function jsonOrText<Schema extends z.ZodType>(
  schema: Schema,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue) => {
    if (typeof raw !== 'string') return raw.parsed
    return isJson(raw) ? parseJson(raw) : raw
  }
  const write = (value: unknown) =>
    typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)
  return { place: 'arguments', encoding: 'json', schema, ...options, read, write }
}

/** A decimal number from 0 to 2³²−1; some clients write it with a sign or with blanks around it. */
export function nonNegativeInteger<Schema extends z.ZodType<unknown, number | undefined>>(
  schema: Schema,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue, name: string) => {
    const given = typeof raw === 'string' ? raw : JSON.stringify(raw.parsed)
    if (/^\s*\+?[0-9]{1,10}\s*$/.test(given) && Number(given) < 2 ** 32) return Number(given)
    throw new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value: given })
  }
  return { place: 'arguments', encoding: 'text', schema, ...options, read, write: String }
}

/** A decimal number that may be negative. */
export function integer<Schema extends z.ZodType<unknown, number | undefined>>(
  schema: Schema,
  options: ParamOptions = {},
): Param<Schema> {
  const read = (raw: RawValue, name: string) => {
    const given = typeof raw === 'string' ? raw : JSON.stringify(raw.parsed)
    const number = /^-?[0-9]{1,16}$/.test(given) ? Number(given) : Number.NaN
    if (Number.isSafeInteger(number)) return number
    throw new ApiError('REQUEST_VARIABLE_INVALID', { var_name: name, bad_value: given })
  }
  return { place: 'arguments', encoding: 'text', schema, ...options, read, write: String }
}

/** An integer in the path. The router lets only digits through; anything else has no such path. */
export function path<Schema extends z.ZodType<unknown, number>>(schema: Schema): Param<Schema> {
  // No id is ever this large, so the endpoint answers as for any id that does not exist.
  const read = (raw: RawValue) => Math.min(Number(raw), Number.MAX_SAFE_INTEGER)
  return { place: 'path', encoding: 'text', schema, read, write: String }
}

/** A text in the path, which ends before the next slash. */
export function textPath<Schema extends z.ZodType<unknown, string>>(
  schema: Schema,
  options: Pick<Param, 'holds'> = {},
): Param<Schema> {
  return {
    place: 'path',
    encoding: 'text',
    isText: true,
    schema,
    ...options,
    read: readText,
    write: String,
  }
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

function writeJson(value: unknown): string {
  return JSON.stringify(value)
}
