import { z } from 'zod'

/** A point in time as ISO 8601 writes it. Go writes the year 1 for "never". */
export const moment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/)
  .transform((words) => new Date(isZoned(words) ? words : `${words}Z`))
  .refine((date) => date.getTime() > 0)

/** Seconds or milliseconds since 1970. */
export const timestamp = z
  .number()
  .positive()
  .transform((number) => new Date(number < 1e11 ? number * 1000 : number))
  .refine((date) => date.getUTCFullYear() < 10_000)

const isZoned = (words: string): boolean => /(?:Z|UTC|[+-]\d\d:?\d\d)$/i.test(words)

/** Everyone reads it in their own time zone. */
export function when(date: Date): string {
  return `<time:${date.toISOString().replace(/\.\d+Z$/, 'Z')}>`
}
