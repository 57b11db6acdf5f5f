import type { WindowMessage } from '@oxbow/sdk/windows'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { ownEmail, ownId, ownName } from '../client/store.ts'

export type ReactionEmoji = Pick<
  WindowMessage['reactions'][number],
  'emoji_name' | 'emoji_code' | 'reaction_type'
>

const isSame = (one: ReactionEmoji, other: ReactionEmoji): boolean =>
  one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type

/** Adds or removes the user's reaction to a message, optimistically. */
export async function toggleReaction(message: WindowMessage, chosen: ReactionEmoji): Promise<void> {
  const user_id = ownId.peek()
  if (user_id === undefined) return
  const { id: message_id, reactions } = message
  const isOwn = reactions.some((reaction) => reaction.user_id === user_id && isSame(reaction, chosen))
  // The server uses the emoji name of the first reaction for all reactions with the same emoji.
  const { emoji_name, emoji_code, reaction_type } =
    reactions.find((reaction) => isSame(reaction, chosen)) ?? chosen
  const emoji = { emoji_name, emoji_code, reaction_type }
  const event: PendingEvent = {
    type: 'reaction',
    op: isOwn ? 'remove' : 'add',
    message_id,
    ...emoji,
    user_id,
    user: { user_id, email: ownEmail.peek() ?? '', full_name: ownName.peek() ?? '' },
  }
  await awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      isOwn
        ? client.messages.removeReaction({ message_id, ...emoji }, options)
        : client.messages.addReaction({ message_id, ...emoji }, options),
    ),
  )
}
