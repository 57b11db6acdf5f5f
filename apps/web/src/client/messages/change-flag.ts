import type { MessageId, UnreadDetails } from '@oxbow/contract'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { applyOptimistically, type PendingEvent } from '../pending.ts'
import { requestUnread } from './read-marks.ts'

export const isStarred = ({ flags }: WindowMessage): boolean => (flags & flagBits.starred) !== 0

/** Sets or clears a flag of messages optimistically. */
export async function changeFlag(
  messages: readonly WindowMessage[],
  flag: 'read' | 'starred' | 'collapsed',
  op: 'add' | 'remove',
): Promise<void> {
  const ids: MessageId[] = messages.map(({ id }) => id)
  const event: PendingEvent = {
    type: 'update_message_flags',
    operation: op,
    flag,
    messages: ids,
    all: false,
    ...(flag === 'read' && op === 'remove' && { message_details: describeUnread(messages) }),
  }
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
function describeUnread(messages: readonly WindowMessage[]): Record<string, UnreadDetails> {
  return Object.fromEntries(
    messages.map(({ id, stream_id, topic, user_ids = [], sender_id }) => [
      id,
      stream_id === undefined
        ? { type: 'private' as const, user_ids: [...user_ids], sender_id }
        : { type: 'stream' as const, stream_id, topic, sender_id },
    ]),
  )
}
