import { ApiError, type ReactionType } from '@oxbow/contract'
import { findEmojiByCode, findEmojiCode } from '@oxbow/markdown'
import { findCustomEmoji, findCustomEmojiById } from '../../organization/emoji/queries.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import type { EmojiCode, ReactionEmoji } from './queries.ts'

/** The only emoji that the server itself defines. Its name is also its code. */
const extraEmoji = 'chat'

/**
 * Returns the emoji with this name. Custom emoji come first, so that an organization can override
 * any name.
 */
export async function resolveEmojiName(
  db: Db,
  { organization_id }: Reader,
  name: string,
): Promise<EmojiCode & { reaction_type: ReactionType }> {
  const custom = await findCustomEmoji(db, organization_id, name)
  if (custom) return { reaction_type: 'realm_emoji', emoji_code: String(custom.id) }
  if (name === extraEmoji) return { reaction_type: 'chat_extra_emoji', emoji_code: extraEmoji }
  const emoji_code = findEmojiCode(name)
  if (emoji_code === undefined) throw new ApiError('EMOJI_DOES_NOT_EXIST', { name })
  return { reaction_type: 'unicode_emoji', emoji_code }
}

const nameSyntax = /^[\w+-]+$/

/**
 * Returns the emoji to store. Throws for unknown codes and, except for Unicode emoji, for names
 * that do not match the code. Clients may have other tables of Unicode names, so for
 * `unicode_emoji` only the code matters: a name that does not match it is replaced with the
 * canonical name.
 */
export async function checkEmoji(
  db: Db,
  { organization_id }: Reader,
  { reaction_type, emoji_code, emoji_name }: EmojiCode & { emoji_name: string },
): Promise<ReactionEmoji> {
  switch (reaction_type) {
    case 'unicode_emoji': {
      const emoji = findEmojiByCode(emoji_code)
      if (!emoji) throw new ApiError('INVALID_EMOJI_CODE')
      if (!nameSyntax.test(emoji_name)) throw new ApiError('INVALID_EMOJI_NAME')
      const isOneOfItsNames = findEmojiCode(emoji_name) === emoji_code
      return { reaction_type, emoji_code, emoji_name: isOneOfItsNames ? emoji_name : emoji.name }
    }
    case 'realm_emoji': {
      const custom = await findCustomEmojiById(db, organization_id, emoji_code)
      if (!custom) throw new ApiError('INVALID_CUSTOM_EMOJI')
      if (custom.name !== emoji_name) throw new ApiError('INVALID_CUSTOM_EMOJI_NAME')
      if (custom.is_deactivated) throw new ApiError('CUSTOM_EMOJI_DEACTIVATED')
      return { reaction_type, emoji_code, emoji_name }
    }
    case 'chat_extra_emoji':
      if (emoji_code !== extraEmoji) throw new ApiError('INVALID_EMOJI_CODE')
      if (emoji_name !== emoji_code) throw new ApiError('INVALID_EMOJI_NAME')
      return { reaction_type, emoji_code, emoji_name }
    default:
      throw new ApiError('INVALID_EMOJI_TYPE')
  }
}
