import { z } from 'zod'
import { customEmojiById } from '../shapes/custom-emoji.ts'
import { eventSchema } from './event-schema.ts'

export const customEmojiEvent = eventSchema('realm_emoji', {
  op: z.literal('update'),
  realm_emoji: customEmojiById,
})
export type CustomEmojiEvent = z.infer<typeof customEmojiEvent>
