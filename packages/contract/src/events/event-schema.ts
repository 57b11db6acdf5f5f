import { z } from 'zod'
import { field } from '../kernel/field.ts'

type Fields = Record<string, z.ZodType>

/** Declares the schema of an event: its id, its type and further fields. */
export const eventSchema = <const Type extends string, Content extends Fields>(
  type: Type,
  content: Content,
) =>
  z.strictObject({
    id: field(z.int(), 'The id of the event. Ids increase within a queue and may have gaps.'),
    type: field(z.literal(type), 'The type of the event.'),
    ...content,
  })
