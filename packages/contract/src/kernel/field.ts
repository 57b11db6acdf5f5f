import { z } from 'zod'

/** A type with a description. */
export interface Described {
  readonly description: string
}

export type Fields = Readonly<Record<string, z.ZodType & Described>>

/** Declares a field of an object, of an event or of a response. */
export const field = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.describe(description) as Schema & Described

/** Declares an object. Unknown fields are refused. */
export const object = <Content extends Fields>(content: Content) => z.strictObject(content)

/** Declares an object in a request. Unknown fields are ignored. */
export const lenientObject = <Content extends Fields>(content: Content) => z.object(content)

type Optional<Content extends Fields> = {
  [Name in keyof Content]: z.ZodOptional<Content[Name]> & Described
}

/** Makes fields optional. The sentence is added to their descriptions. */
export function optionalFields<Content extends Fields>(
  content: Content,
  sentence: string,
): Optional<Content> {
  const entries = Object.entries(content).map(([name, schema]) => [
    name,
    field(schema.optional(), `${schema.description} ${sentence}`),
  ])
  return Object.fromEntries(entries)
}
