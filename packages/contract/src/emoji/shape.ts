import { z } from 'zod'
import { userId } from '../ids.ts'
import { field, object } from '../kernel/field.ts'

export const customEmoji = object({
  id: field(z.string(), 'The id of the custom emoji.'),
  name: field(z.string(), 'The name, without colons.'),
  source_url: field(z.string(), 'The URL of the picture, relative to the host of the organization.'),
  deactivated: field(
    z.boolean(),
    'Whether the emoji was deactivated. Messages and reactions that use it still show it.',
  ),
  author_id: field(userId.nullable(), 'The id of the user who added the emoji. Null if unknown.'),
})
export type CustomEmoji = z.infer<typeof customEmoji>

export const customEmojiById = field(
  z.record(z.string(), customEmoji),
  'All custom emoji that the organization ever had, by id.',
)
export type CustomEmojiById = z.infer<typeof customEmojiById>

/** Maximum size of an uploaded picture, before it is scaled down. */
export const maxEmojiMebibytes = 5
