import type { Event, MessageId } from '@oxbow/contract'
import { client } from '../data/client.ts'
import { applyOptimistically } from '../data/pending.ts'
import { requestUnread } from '../data/read-marks.ts'
import { unreadMessages } from '../data/store.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'

/** Marks all messages as read, and offers to undo it. */
export async function markAllRead(): Promise<void> {
  const { streams = [], pms = [], huddles = [] } = unreadMessages.peek() ?? {}
  const messages = [...streams, ...pms, ...huddles].flatMap(
    ({ unread_message_ids }) => unread_message_ids,
  ) as MessageId[]
  if (messages.length === 0) return
  const event = { type: 'update_message_flags', operation: 'add', flag: 'read', messages, all: true }
  const marking = applyOptimistically([event as unknown as Event], (options) =>
    client.messages.markAllRead({}, options),
  )
  if (await awaitOrShowRefusal(marking))
    offerUndo(t('streams.marked_read', { count: messages.length }), () => {
      void awaitOrShowRefusal(requestUnread(messages))
    })
}
