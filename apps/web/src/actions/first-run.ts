import { client } from '../data/client.ts'
import { ownId } from '../data/store.ts'

/** Returns whether the user has written a message, as 0 or 1. */
export async function countOwnMessages(): Promise<number> {
  const { messages } = await client.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: ownId.peek() }] as never,
  })
  return messages.length
}
