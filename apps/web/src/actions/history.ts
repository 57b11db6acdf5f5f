import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'

/** A version of a message. */
export type Version = Awaited<ReturnType<typeof client.messages.history>>['message_history'][number]

/** Returns the versions of a message, newest first. Throws the server's refusal. */
export async function fetchHistory({ id }: WindowMessage): Promise<readonly Version[]> {
  const { message_history } = await client.messages.history({ message_id: id })
  return message_history.toReversed()
}
