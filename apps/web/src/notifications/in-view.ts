import type { MessageId } from '@oxbow/contract'
import { onTabMessage, postToTabs } from '../client/device/channel.ts'
import { isInOpenWindow } from '../client/messages/open-window.ts'

declare module '../client/device/channel.ts' {
  interface TabMessages {
    /** The leader asks whether another tab shows a message to the user. */
    'in view?': { message_id: MessageId }
    'in view': { message_id: MessageId }
  }
}

/**
 * Time within which a tab that shows the message must reply. A frozen tab does not reply, but it does
 * not show the message either.
 */
const replyMs = 300

const isInView = (message_id: MessageId): boolean =>
  document.visibilityState === 'visible' && document.hasFocus() && isInOpenWindow(message_id)

const waiting = new Map<number, (isSeen: boolean) => void>()

/** Replies to the leader's questions whether a message is in view. */
export function startInView(): void {
  onTabMessage('in view?', ({ message_id }) => {
    if (isInView(message_id)) postToTabs('in view', { message_id })
  })
  onTabMessage('in view', ({ message_id }) => waiting.get(message_id)?.(true))
}

/** Returns whether this or another tab has the focus and shows the message. */
export async function isSeen(message_id: MessageId): Promise<boolean> {
  if (isInView(message_id)) return true
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.set(message_id, resolve)
  // The question is posted after the listeners have run, so that other tabs have received the
  // message before the question.
  setTimeout(() => {
    postToTabs('in view?', { message_id })
    setTimeout(() => resolve(false), replyMs)
  })
  const found = await promise
  waiting.delete(message_id)
  return found
}
