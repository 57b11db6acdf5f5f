import type { WindowMessage } from '@oxbow/sdk/windows'

export type WindowReaction = WindowMessage['reactions'][number]

export interface ReactionGroup {
  readonly key: string
  readonly reaction: WindowReaction
  /** Ids of the people who reacted, oldest reaction first. */
  readonly user_ids: readonly number[]
}

/** Groups reactions by emoji. The groups are in the order in which each emoji was first used. */
export function groupReactions(reactions: readonly WindowReaction[]): ReactionGroup[] {
  const groups = Map.groupBy(reactions, ({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`)
  return [...groups].flatMap(([key, list]) => {
    const [reaction] = list
    return reaction ? [{ key, reaction, user_ids: list.map(({ user_id }) => user_id) }] : []
  })
}
