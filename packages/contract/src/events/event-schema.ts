import { z } from 'zod'
import { type Fields, field, object } from '../kernel/field.ts'

/** Declares the schema of an event: its id, its type and further fields. */
export const eventSchema = <const Type extends string, Content extends Fields>(
  type: Type,
  content: Content,
) =>
  object({
    id: field(z.int(), 'The id of the event. Ids increase within a queue and may have gaps.'),
    type: field(z.literal(type), 'The type of the event.'),
    ...content,
  })
