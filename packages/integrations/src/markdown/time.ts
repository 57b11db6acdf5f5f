import { z } from 'zod'

/** Reads a time in ISO 8601. The year 1, which Go writes for "never", is read as absent. */
export const moment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/)
  .transform((words) => new Date(isZoned(words) ? words : `${words}Z`))
  .refine((date) => date.getTime() > 0)

/** Reads a time in seconds or milliseconds since 1970. */
export const timestamp = z
  .number()
  .positive()
  .transform((number) => new Date(number < 1e11 ? number * 1000 : number))
  .refine((date) => date.getUTCFullYear() < 10_000)

const isZoned = (words: string): boolean => /(?:Z|UTC|[+-]\d\d:?\d\d)$/i.test(words)

/** Formats a time so that clients show it in the reader's time zone. */
export function when(date: Date): string {
  return `<time:${date.toISOString().replace(/\.\d+Z$/, 'Z')}>`
}
