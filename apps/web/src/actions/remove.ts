import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'

/** Deletes a message. It goes from the screen with the event. Throws the server's refusal. */
export const removeMessage = ({ id }: WindowMessage): Promise<unknown> =>
  client.messages.remove({ message_id: id })
