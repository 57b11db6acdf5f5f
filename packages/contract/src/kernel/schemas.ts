import { z } from 'zod'
import { countCharacters } from '../plain/code-points.ts'
import { FloatText } from './json-text.ts'

/** The end of the year 9999, in seconds since 1970. */
export const maxTimestamp = 253_402_300_799

export const maxCharacters = (limit: number) =>
  z
    .string()
    .refine((text) => text.length <= limit || countCharacters(text) <= limit, {
      error: `{V} is too long (limit: ${limit} characters)`,
    })
    .meta({ maxLength: limit })

export const nonBlank = () =>
  z.string().refine((text) => text.trim() !== '', { error: '{V} cannot be blank.' })

/** Checks the type before the value, because the protocol has different error texts for them. */
export const oneOfIntegers = <const Values extends readonly number[]>(values: Values) =>
  z.int().pipe(z.literal(values as readonly Values[number][]))

/** Accepts `1.0` as well as `1`. */
export const float = () =>
  z.preprocess(
    (value) => (value instanceof FloatText ? Number(value.source) : value),
    z.number({ error: '{V} is not a float' }),
  )

export const oneOfStrings = <const Values extends readonly string[]>(values: Values) =>
  z.string().pipe(z.literal(values as readonly Values[number][]))

export const stringOrInteger = () =>
  z.union([z.string(), z.int()], { error: '{V} is not a string or integer' })

export const stringOrIntegerList = () =>
  z.union([z.string(), z.array(z.int())], { error: '{V} is not a string or an integer list' })

export const listOf = <Item extends z.ZodType>(item: Item, count: number) =>
  z.array(item).refine((list) => list.length === count, { error: `{V} should have exactly ${count} items` })

export const maxItems = <Item extends z.ZodType>(item: Item, limit: number) =>
  z
    .array(item)
    .refine((list) => list.length <= limit, { error: `{V} has too many items (limit: ${limit})` })
    .meta({ maxItems: limit })

/** An object whose keys the caller chooses. `z.record` would drop the key `__proto__`. */
export const dictionary = () =>
  z
    .custom<Record<string, unknown>>(
      (value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FloatText),
      { error: '{V} is not a dict' },
    )
    .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} })

/** Refuses a dictionary with more than `limit` keys before its values are examined. */
export const maxKeys = (limit: number) =>
  dictionary().refine((map) => Object.keys(map).length <= limit, {
    error: `{V} has too many keys (limit: ${limit})`,
  })

export const stringMap = (map = dictionary()) =>
  map.pipe(
    z.custom<Record<string, string>>(
      (map) => Object.values(map as object).every((value) => typeof value === 'string'),
      { error: '{V} contains a value that is not a string' },
    ),
  )

/** Accepts a date like `2026-4-30`. Month and day may have one digit. */
export const date = () => z.string().refine(isDate, { error: '{V} is not a date' }).meta({ format: 'date' })

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)?.map(Number) ?? []
  if (!year || !month || !day) return false
  const then = new Date(Date.UTC(2000, month - 1, day))
  then.setUTCFullYear(year, month - 1, day)
  return then.getUTCMonth() === month - 1 && then.getUTCDate() === day
}

/** Accepts a time like `2026-04-30T08:15:00Z` or `2026-04-30T10:15:00.5+02:00`. */
export const dateTime = () =>
  z
    .string()
    .refine((text) => isoTime.test(text) && !Number.isNaN(Date.parse(text)), {
      error: '{V} is not a time such as 2026-04-30T08:15:00Z',
    })
    .meta({ format: 'date-time' })

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Accepts an absolute http, https, ftp or ftps URL of up to 2,048 characters. */
export const url = () => asUrl(maxCharacters(2_048))

/** Accepts what `url` accepts, without its limit: releases before the limit stored longer URLs. */
export const urlOfAnyLength = () => asUrl(z.string())

const asUrl = (text: z.ZodString) => text.refine(isUrl, { error: '{V} is not a URL' }).meta({ format: 'uri' })

function isUrl(text: string): boolean {
  // URL.parse corrects many mistakes, but stored links are used as they were written.
  return /^(https?|ftps?):\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text)
}

export const color = () =>
  z.string().regex(/^#[0-9a-fA-F]{3,6}$/, { error: '{V} is not a valid hex color code' })

/** Refuses NUL in one part of a parameter whose other parts may contain NUL. */
export const withoutNul = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema.refine((text) => !text.includes('\0'), { error: '{V} contains a NUL character' })
