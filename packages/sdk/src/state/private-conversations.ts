import type { MessageId, UserId } from '@oxbow/contract'
import { findInsertIndex } from './sorted.ts'
import { type State, withFetched } from './state.ts'

/**
 * Moves a conversation to its position in the list, which is sorted by newest message. Does nothing
 * if the account's own id was not fetched.
 */
export function recordConversation(state: State, people: readonly UserId[], message: MessageId): State {
  const { user_id, recent_private_conversations: conversations } = state
  if (user_id === undefined || !conversations) return state
  const user_ids = people.filter((id) => id !== user_id).toSorted((a, b) => a - b)
  const index = conversations.findIndex((one) => one.user_ids.join() === user_ids.join())
  const known = conversations[index]
  if (known && known.max_message_id >= message) return state
  const others = known ? conversations.toSpliced(index, 1) : conversations
  const insertAt = findInsertIndex(others, ({ max_message_id }) => max_message_id > message)
  return withFetched(state, {
    recent_private_conversations: others.toSpliced(insertAt, 0, { max_message_id: message, user_ids }),
  })
}
