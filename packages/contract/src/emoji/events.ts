import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { customEmojiById } from './shape.ts'

export const customEmojiEvent = eventSchema('realm_emoji', {
  op: z.literal('update'),
  realm_emoji: customEmojiById,
})
export type CustomEmojiEvent = z.infer<typeof customEmojiEvent>
