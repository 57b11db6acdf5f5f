import { z } from 'zod'

type Fields = Record<string, z.ZodType>

/** Declares the schema of an event: its id, its type and further fields. */
export const eventSchema = <const Type extends string, Content extends Fields>(
  type: Type,
  content: Content,
) => z.strictObject({ id: z.int(), type: z.literal(type), ...content })
