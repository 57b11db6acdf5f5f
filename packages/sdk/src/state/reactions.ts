import type { Reaction, ReactionEvent } from '@oxbow/contract'

type ReactionKey = Pick<Reaction, 'user_id' | 'reaction_type' | 'emoji_code'>

/**
 * Returns a message's reactions after an event. The state has no messages, so clients apply it to
 * the messages they have fetched. Applying an event twice changes nothing.
 */
export function applyReaction(reactions: readonly Reaction[], event: ReactionEvent): readonly Reaction[] {
  return changeReactions(reactions, event, toReaction(event))
}

/** Adds the given reaction or removes its equal, as the event says. */
export function changeReactions<Item extends ReactionKey>(
  reactions: readonly Item[],
  { op }: Pick<ReactionEvent, 'op'>,
  reaction: Item,
): readonly Item[] {
  const isIt = ({ user_id, reaction_type, emoji_code }: Item) =>
    user_id === reaction.user_id &&
    reaction_type === reaction.reaction_type &&
    emoji_code === reaction.emoji_code
  const isThere = reactions.some(isIt)
  if (isThere === (op === 'add')) return reactions
  return isThere ? reactions.filter((known) => !isIt(known)) : [...reactions, reaction]
}

/** Converts the user of an event, which has other fields than the user of a reaction. */
function toReaction({ emoji_name, emoji_code, reaction_type, user_id, user }: ReactionEvent): Reaction {
  const { email, full_name } = user
  return { emoji_name, emoji_code, reaction_type, user_id, user: { id: user_id, email, full_name } }
}
