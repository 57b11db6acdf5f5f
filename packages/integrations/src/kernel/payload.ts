import { z } from 'zod'
import { clean } from './clean.ts'

/** Accepts a text with at least one visible character. */
export const text = z
  .string()
  .overwrite(clean)
  .trim()
  .regex(/[^\s\p{Cf}]/u)

/** Accepts a number, or digits in quotes. */
export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
])

/** Accepts an id as a number or a text, and returns a text. */
export const id = z.union([text, z.number().int().transform(String)])

/**
 * Accepts an HTTP URL. Refuses others, like `javascript:` URLs, paths and URLs that are too long
 * for browsers.
 */
export const url = z
  .string()
  .overwrite(clean)
  .trim()
  .max(4000)
  .regex(/^https?:\/\/[^\s]+$/i)

/** Makes a value optional. An invalid value is treated as absent, so that the message is sent without it. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined)

/** Accepts any object, for services whose events read different parts of the payload. */
export const anything = z.looseObject({})

/** Thrown if a value that a translator needs is missing or invalid. */
export class MissingFieldError extends Error {
  readonly path: string

  constructor(path: string) {
    super(`The payload lacks ${path}`)
    this.path = path
  }
}

/** Reads a part of the payload. Throws an error that `translate` turns into a refusal. */
export function read<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const result = schema.safeParse(payload)
  if (result.success) return result.data
  throw new MissingFieldError(getPath(result.error) || 'a JSON object')
}

function getPath(error: z.ZodError): string {
  const path = error.issues[0]?.path ?? []
  return path.reduce<string>(
    (before, part) =>
      typeof part === 'number'
        ? `${before}[${part}]`
        : before === ''
          ? String(part)
          : `${before}.${String(part)}`,
    '',
  )
}
