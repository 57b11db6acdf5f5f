import { z } from 'zod'
import { clean } from './clean.ts'

/** A text that says something: spaces and invisible marks alone do not. */
export const text = z
  .string()
  .overwrite(clean)
  .trim()
  .regex(/[^\s\p{Cf}]/u)

/** A number, or digits that a service put in quotes. */
export const number = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
])

/** An id: digits or a text, as a text. */
export const id = z.union([text, z.number().int().transform(String)])

/** Somewhere on the web. Others (`javascript:`, paths, what is too long for any browser) make no link. */
export const url = z
  .string()
  .overwrite(clean)
  .trim()
  .max(4000)
  .regex(/^https?:\/\/[^\s]+$/i)

/** May be absent, null, empty or of a kind that nobody expects: the message is then made without it. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .catch(undefined)

/** A payload of which each event reads its own part. */
export const anything = z.looseObject({})

/** What the translation needs is missing, or of another kind. */
export class PayloadLacks extends Error {
  readonly path: string

  constructor(path: string) {
    super(`The payload lacks ${path}`)
    this.path = path
  }
}

/** For translations whose events read different parts; `translate` turns what it throws into a refusal. */
export function read<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const result = schema.safeParse(payload)
  if (result.success) return result.data
  throw new PayloadLacks(pathOf(result.error) || 'a JSON object')
}

function pathOf(error: z.ZodError): string {
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
