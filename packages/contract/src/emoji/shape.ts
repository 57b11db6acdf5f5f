import { z } from 'zod'
import { userId } from '../ids.ts'

export const customEmoji = z.strictObject({
  id: z.string(),
  name: z.string(),
  source_url: z.string(),
  deactivated: z.boolean(),
  author_id: userId.nullable(),
})
export type CustomEmoji = z.infer<typeof customEmoji>

export const customEmojiById = z.record(z.string(), customEmoji)
export type CustomEmojiById = z.infer<typeof customEmojiById>

/** Maximum size of an uploaded picture, before it is scaled down. */
export const maxEmojiMebibytes = 5
