import { z } from 'zod'
import { customEmojiById } from '../shapes/custom-emoji.ts'
import { kind } from './kind.ts'

export const customEmojiEvent = kind('realm_emoji', {
  op: z.literal('update'),
  realm_emoji: customEmojiById,
})
export type CustomEmojiEvent = z.infer<typeof customEmojiEvent>
