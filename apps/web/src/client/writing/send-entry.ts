import type { MessageId } from '@oxbow/contract'
import { client } from '../client.ts'
import type { OutboxEntry } from './outbox-entry.ts'

/**
 * Makes one attempt to send an entry of the outbox. The event that the server sends to this queue
 * includes the entry's local id.
 */
export const sendEntry = (
  { target, content, local_id, key }: OutboxEntry,
  queue_id: string | null | undefined,
): Promise<{ id: MessageId }> =>
  client.messages.send(
    {
      type: target.type,
      to: target.type === 'stream' ? target.stream_id : [...target.user_ids],
      ...(target.type === 'stream' && { topic: target.topic }),
      content,
      local_id,
      ...(typeof queue_id === 'string' && { queue_id }),
    },
    { idempotencyKey: key },
  )
