import { ApiError, type api, maxOwnReactions, maxReactionBytes, type ParamsOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockMessageReactions, lockOwnReactions } from '../../platform/database/locks.ts'
import type { AccessedMessage } from '../access.ts'
import { listCurrentAudiences, lockMessageAgainstMoveAndDeletion } from '../lock-message.ts'
import { checkEmoji, resolveEmojiName } from './emoji.ts'
import { emitReaction } from './events.ts'
import { fromLegacyNames } from './legacy-names.ts'
import {
  countReactions,
  type EmojiCode,
  insertHistoricalRow,
  insertReaction,
  lockChosenName,
  type ReactionEmoji,
  type ReactionTotals,
} from './queries.ts'

type AddReactionParams = ParamsOf<typeof api.messages.addReaction>

export async function addReaction(app: App, actor: Actor, params: AddReactionParams): Promise<object> {
  const emoji = actor.legacyNames ? fromLegacyNames(params) : params
  return writeAs(app, actor, async (tx) => {
    const { message_id } = emoji
    const message = await lockMessageAgainstMoveAndDeletion(tx, actor, message_id)
    await lockOwnReactions(tx, message_id, actor.user_id)
    const reacted = await chooseEmojiName(tx, actor, message, await resolveEmoji(tx, actor, emoji))
    const totals = await countReactions(tx, actor, message_id)
    if (!(await insertReaction(tx, actor, message_id, reacted))) throw new ApiError('REACTION_EXISTS')
    refuseAboveLimits(totals)
    if (!message.own) await insertHistoricalRow(tx, actor, message_id)
    const audiences = await listCurrentAudiences(tx, actor, message)
    await emitReaction(app, tx, actor, { op: 'add', message_id, reacted, audiences })
    return {}
  })
}

/**
 * Throws if the message cannot have another reaction. Concurrent reactions of different accounts may exceed the limit of
 * all accounts by a few, because they do not wait for each other.
 */
function refuseAboveLimits({ own_count, bytes }: ReactionTotals): void {
  if (own_count >= maxOwnReactions) throw new ApiError('OWN_REACTIONS_TOO_MANY', { limit: maxOwnReactions })
  if (bytes >= maxReactionBytes) throw new ApiError('REACTIONS_TOO_MANY')
}

type NamedEmoji = EmojiCode & { emoji_name: string }

/** Derives the emoji's type and code from its name if the request does not contain them. */
async function resolveEmoji(
  tx: Tx,
  actor: Actor,
  { emoji_name, emoji_code, reaction_type }: AddReactionParams,
): Promise<NamedEmoji> {
  if (emoji_code !== undefined && reaction_type !== undefined)
    return { emoji_name, emoji_code, reaction_type }
  const found = await resolveEmojiName(tx, actor, emoji_name)
  return {
    emoji_name,
    emoji_code: emoji_code ?? found.emoji_code,
    reaction_type: reaction_type ?? found.reaction_type,
  }
}

/**
 * Returns the emoji with the name that it has in the message's first reaction with it, even if the
 * emoji was renamed since. So only the first reaction must use a valid name.
 */
async function chooseEmojiName(
  tx: Tx,
  actor: Actor,
  { id }: AccessedMessage,
  emoji: NamedEmoji,
): Promise<ReactionEmoji> {
  const chosen = await lockChosenName(tx, actor, id, emoji)
  if (chosen !== undefined) return { ...(emoji as ReactionEmoji), emoji_name: chosen }
  const checked = await checkEmoji(tx, actor, emoji)
  // Two concurrent first reactions must not choose different names.
  await lockMessageReactions(tx, id)
  return { ...checked, emoji_name: (await lockChosenName(tx, actor, id, emoji)) ?? checked.emoji_name }
}
