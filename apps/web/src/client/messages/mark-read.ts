import type { MessageId } from '@oxbow/contract'
import type { CallOptions } from '@oxbow/sdk/browser'
import { t } from '../../text/t.ts'
import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { type Target, targetKey } from '../conversations/target.ts'
import { unreadByStream, unreadPrivate } from '../conversations/unread.ts'
import { applyOptimistically, type PendingEvent } from '../pending.ts'
import { unreadMessages } from '../store.ts'
import { offerUndo } from '../undo.ts'
import { requestUnread } from './read-marks.ts'

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
  const event: PendingEvent = {
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    messages,
    all: false,
  }
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
  const stream_id = target.stream_id
  return target.topic === undefined
    ? client.messages.markStreamRead({ stream_id }, options)
    : client.messages.markTopicRead({ stream_id, topic_name: target.topic }, options)
}

/** Marks all messages as read, and offers to undo it. */
export async function markAllRead(): Promise<void> {
  const { streams = [], pms = [], huddles = [] } = unreadMessages.peek() ?? {}
  const messages = [...streams, ...pms, ...huddles].flatMap(
    ({ unread_message_ids }) => unread_message_ids,
  ) as MessageId[]
  if (messages.length === 0) return
  const event: PendingEvent = {
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    messages,
    all: true,
  }
  const marking = applyOptimistically([event], (options) => client.messages.markAllRead({}, options))
  if (await awaitOrShowRefusal(marking))
    offerUndo(t('streams.marked_read', { count: messages.length }), () => {
      void awaitOrShowRefusal(requestUnread(messages))
    })
}
