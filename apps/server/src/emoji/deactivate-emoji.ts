import { ApiError, type api, isAdministrator, type ParamsOf } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { changeEmoji, requireEmojiPermission } from './change-emoji.ts'
import { deactivateCustomEmoji, findCustomEmoji } from './queries.ts'

/** Deactivates an emoji. Its picture stays for messages and reactions that use it. */
export async function deactivateEmoji(
  app: App,
  actor: Actor,
  { emoji_name: name }: ParamsOf<typeof api.emoji.deactivate>,
): Promise<object> {
  return changeEmoji(app, actor, async (tx, rules) => {
    const emoji = await findCustomEmoji(tx, actor.organization_id, name)
    if (!emoji) throw new ApiError('EMOJI_DOES_NOT_EXIST', { name })
    requireEmojiPermission(rules, actor)
    const isOwn = emoji.author_id === actor.user_id
    if (!isOwn && !isAdministrator(actor.role)) throw new ApiError('NOT_EMOJI_AUTHOR')
    await deactivateCustomEmoji(tx, emoji)
  })
}
