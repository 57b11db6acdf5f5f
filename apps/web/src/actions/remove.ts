import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'

/** Deletes a message. It disappears when the event arrives. Throws the server's refusal. */
export const removeMessage = ({ id }: WindowMessage): Promise<unknown> =>
  client.messages.remove({ message_id: id })
