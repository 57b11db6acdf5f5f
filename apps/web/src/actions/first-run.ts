import { client } from '../data/client.ts'
import { ownId } from '../data/store.ts'

/** Returns 1 if the user has written any message, otherwise 0. */
export async function countOwnMessages(): Promise<number> {
  const { messages } = await client.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: ownId.peek() }] as never,
  })
  return messages.length
}
