import type { Event, MessageId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { client } from '../data/client.ts'
import { applyOptimistically } from '../data/pending.ts'
import { requestUnread } from '../data/read-marks.ts'
import { awaitOrShowRefusal } from './act.ts'

/** Sets or clears a flag of messages optimistically. */
export async function changeFlag(
  messages: readonly WindowMessage[],
  flag: 'read' | 'starred' | 'collapsed',
  op: 'add' | 'remove',
): Promise<void> {
  const ids: MessageId[] = messages.map(({ id }) => id)
  const event = {
    type: 'update_message_flags',
    operation: op,
    flag,
    messages: ids,
    all: false,
    ...(flag === 'read' && op === 'remove' && { message_details: describeUnread(messages) }),
  } as unknown as Event
  await awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      flag === 'read' && op === 'remove'
        ? requestUnread(ids)
        : client.messages.changeFlags({ messages: ids, op, flag }, options),
    ),
  )
}

/**
 * Builds `message_details` of the server's event: the conversation of each message that becomes
 * unread.
 */
function describeUnread(messages: readonly WindowMessage[]): Record<string, unknown> {
  return Object.fromEntries(
    messages.map(({ id, stream_id, topic, user_ids, sender_id }) => [
      id,
      stream_id === undefined
        ? { type: 'private', user_ids, sender_id }
        : { type: 'stream', stream_id, topic, sender_id },
    ]),
  )
}
