import type { Reaction, ReactionEvent } from '@oxbow/contract'

/**
 * Returns a message's reactions after an event. The state has no messages, so clients apply it to
 * the messages they have fetched. Applying an event twice changes nothing.
 */
export function applyReaction(reactions: readonly Reaction[], event: ReactionEvent): readonly Reaction[] {
  const isIt = ({ user_id, reaction_type, emoji_code }: Reaction) =>
    user_id === event.user_id && reaction_type === event.reaction_type && emoji_code === event.emoji_code
  const isThere = reactions.some(isIt)
  if (isThere === (event.op === 'add')) return reactions
  return isThere ? reactions.filter((each) => !isIt(each)) : [...reactions, toReaction(event)]
}

/** Converts the user of an event, which has other fields than the user of a reaction. */
function toReaction({ emoji_name, emoji_code, reaction_type, user_id, user }: ReactionEvent): Reaction {
  const { email, full_name } = user
  return { emoji_name, emoji_code, reaction_type, user_id, user: { id: user_id, email, full_name } }
}
