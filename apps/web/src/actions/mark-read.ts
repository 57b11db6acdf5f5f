import type { Event, MessageId } from '@oxbow/contract'
import type { CallOptions } from '@oxbow/sdk/browser'
import { client } from '../data/client.ts'
import { applyOptimistically } from '../data/pending.ts'
import { requestUnread } from '../data/read-marks.ts'
import type { Target } from '../data/target.ts'
import { targetKey } from '../data/target-key.ts'
import { unreadByStream, unreadPrivate } from '../data/unread.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'

/**
 * Returns the ids of the unread messages of a conversation, or of all topics of a stream. Reads
 * signals.
 */
export function listUnread(target: Target): readonly MessageId[] {
  const key = targetKey(target)
  const ids =
    target.type === 'private'
      ? unreadPrivate.value.find(({ user_ids }) => targetKey({ type: 'private', user_ids }) === key)?.ids
      : unreadByStream.value
          .get(target.stream_id)
          ?.topics.filter(
            ({ topic }) => target.topic === undefined || targetKey({ ...target, topic }) === key,
          )
          .flatMap((topic) => topic.ids)
  return (ids ?? []) as readonly MessageId[]
}

/** Marks all messages of a conversation or a stream as read, and offers to undo it. */
export async function markConversationRead(target: Target): Promise<void> {
  const messages = [...listUnread(target)]
  if (messages.length === 0) return
  const event = {
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    messages,
    all: false,
  } as unknown as Event
  if (
    await awaitOrShowRefusal(
      applyOptimistically([event], (options) => requestRead(target, messages, options)),
    )
  )
    offerUndo(t('streams.marked_read', { count: messages.length }), () => {
      void awaitOrShowRefusal(requestUnread(messages))
    })
}

/**
 * Uses the endpoints for whole streams and topics where possible, because they also mark messages
 * that the client's state does not list.
 */
function requestRead(target: Target, messages: MessageId[], options: CallOptions): Promise<unknown> {
  if (target.type === 'private')
    return client.messages.changeFlags({ messages, op: 'add', flag: 'read' }, options)
  const stream_id = target.stream_id as never
  return target.topic === undefined
    ? client.messages.markStreamRead({ stream_id }, options)
    : client.messages.markTopicRead({ stream_id, topic_name: target.topic }, options)
}
