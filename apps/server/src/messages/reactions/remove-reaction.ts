import { ApiError, type api, type ParamsOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { listCurrentAudiences, lockMessageAgainstMoveAndDeletion } from '../lock-message.ts'
import { resolveEmojiName } from './emoji.ts'
import { emitReaction } from './events.ts'
import { fromLegacyNames } from './legacy-names.ts'
import { deleteReaction, type EmojiCode } from './queries.ts'

type RemoveReactionParams = ParamsOf<typeof api.messages.removeReaction>

export async function removeReaction(app: App, actor: Actor, params: RemoveReactionParams): Promise<object> {
  const emoji = actor.legacyNames ? fromLegacyNames(params) : params
  return writeAs(app, actor, async (tx) => {
    const { message_id } = emoji
    const message = await lockMessageAgainstMoveAndDeletion(tx, actor, message_id)
    const code = await resolveEmojiCode(tx, actor, emoji)
    const audiences = await listCurrentAudiences(tx, actor, message)
    const reacted = await deleteReaction(tx, actor, message_id, code)
    if (!reacted) throw new ApiError('REACTION_DOES_NOT_EXIST')
    await emitReaction(app, tx, actor, { op: 'remove', message_id, reacted, audiences })
    return {}
  })
}

/** Derives a missing code from the name. A missing type is not derived, as clients expect. */
async function resolveEmojiCode(
  tx: Tx,
  actor: Actor,
  { emoji_name, emoji_code, reaction_type }: RemoveReactionParams,
): Promise<EmojiCode> {
  if (emoji_code !== undefined) return { emoji_code, reaction_type }
  if (emoji_name === undefined) throw new ApiError('EMOJI_NOT_NAMED')
  return { emoji_code: (await resolveEmojiName(tx, actor, emoji_name)).emoji_code, reaction_type }
}
