import { z } from 'zod'
import { userId } from '../ids.ts'

export const customEmoji = z.strictObject({
  id: z.string(),
  name: z.string(),
  source_url: z.string().meta({ description: 'Of the picture, from the root of this host' }),
  deactivated: z.boolean().meta({ description: 'Only messages and reactions that have it still show it' }),
  author_id: userId.nullable(),
})
export type CustomEmoji = z.infer<typeof customEmoji>

export const customEmojiById = z
  .record(z.string(), customEmoji)
  .meta({ description: 'All that there ever were, by id' })
export type CustomEmojiById = z.infer<typeof customEmojiById>

/** Pictures may be this large before they are made small. */
export const maxEmojiMebibytes = 5
