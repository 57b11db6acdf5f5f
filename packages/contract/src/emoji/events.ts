import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { customEmojiById } from './shape.ts'

export const customEmojiEvent = eventSchema('realm_emoji', {
  op: field(z.literal('update'), 'The custom emoji changed.'),
  realm_emoji: customEmojiById,
})
export type CustomEmojiEvent = z.infer<typeof customEmojiEvent>
