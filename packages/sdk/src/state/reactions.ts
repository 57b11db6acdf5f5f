import type { Reaction, ReactionEvent } from '@oxbow/contract'

type ReactionKey = Pick<Reaction, 'user_id' | 'reaction_type' | 'emoji_code'>

/**
 * Returns a message's reactions after an event. The state contains no messages, so clients apply
 * events to the messages that they fetched. Applying an event twice changes nothing more.
 */
export function applyReaction(reactions: readonly Reaction[], event: ReactionEvent): readonly Reaction[] {
  return changeReactions(reactions, event, toReaction(event))
}

/** Adds or removes a reaction, as the event's `op` says. */
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

/** Builds a reaction from an event. The two differ in the fields of `user`. */
function toReaction({ emoji_name, emoji_code, reaction_type, user_id, user }: ReactionEvent): Reaction {
  const { email, full_name } = user
  return { emoji_name, emoji_code, reaction_type, user_id, user: { id: user_id, email, full_name } }
}
