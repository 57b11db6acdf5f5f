import type { MessageId, Reaction } from '@oxbow/contract'
import type { Person } from '../world.ts'

/** Adds a reaction by the name of an emoji. */
export async function react(by: Person, message_id: MessageId, emoji_name: string): Promise<void> {
  await by.messages.addReaction({ message_id, emoji_name })
}

/**
 * Returns the reactions of a message. The user must have received it, or must see the history of
 * its stream.
 */
export async function readReactions(
  by: Person,
  id: MessageId,
  stream?: { name: string },
): Promise<Reaction[]> {
  const around = { anchor: String(id), num_before: 0, num_after: 0 }
  const narrow = stream ? [{ operator: 'stream', operand: stream.name }] : []
  const { messages } = await by.messages.list({ ...around, narrow })
  return messages[0]?.reactions ?? []
}
