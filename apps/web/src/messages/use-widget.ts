import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'

/** Votes for an option of a poll, or withdraws the vote. Returns the reason if it was refused. */
export const vote = (message: WindowMessage, key: string, value: 1 | -1): Promise<string> =>
  act(message, { type: 'vote', key, vote: value })

/** Completes a task of a to-do list, or reopens it. Returns the reason if it was refused. */
export const strikeTask = (message: WindowMessage, key: string): Promise<string> =>
  act(message, { type: 'strike', key })

async function act({ id }: WindowMessage, action: object): Promise<string> {
  try {
    await client.messages.addSubmessage({
      message_id: id,
      msg_type: 'widget',
      content: JSON.stringify(action),
    })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
