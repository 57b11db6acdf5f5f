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
