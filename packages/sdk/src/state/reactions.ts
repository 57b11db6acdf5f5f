import type { Reaction, ReactionEvent } from '@oxbow/contract'

/**
 * What a message's reactions are after an event about that message. The state holds no messages, so this is for whoever
 * keeps those that were fetched. An event may be applied twice.
 */
export function applyReaction(reactions: readonly Reaction[], event: ReactionEvent): readonly Reaction[] {
  const isIt = ({ user_id, reaction_type, emoji_code }: Reaction) =>
    user_id === event.user_id && reaction_type === event.reaction_type && emoji_code === event.emoji_code
  const isThere = reactions.some(isIt)
  if (isThere === (event.op === 'add')) return reactions
  return isThere ? reactions.filter((each) => !isIt(each)) : [...reactions, toReaction(event)]
}

/** Events name whoever reacted in another way. */
function toReaction({ emoji_name, emoji_code, reaction_type, user_id, user }: ReactionEvent): Reaction {
  const { email, full_name } = user
  return { emoji_name, emoji_code, reaction_type, user_id, user: { id: user_id, email, full_name } }
}
