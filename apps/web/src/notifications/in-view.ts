import { isInOpenWindow } from '../data/open-window.ts'
import { onTabMessage, postToTabs } from '../device/channel.ts'

declare module '../device/channel.ts' {
  interface TabMessages {
    /** The leader asks whether another tab shows a message to the user. */
    'in view?': { message_id: number }
    'in view': { message_id: number }
  }
}

/** Tabs that show the message answer within this time; frozen tabs show nothing. */
const answerMs = 300

const isInView = (message_id: number): boolean =>
  document.visibilityState === 'visible' && document.hasFocus() && isInOpenWindow(message_id)

const waiting = new Map<number, (isSeen: boolean) => void>()

/** Answers requests of the leader. */
export function startInView(): void {
  onTabMessage('in view?', ({ message_id }) => {
    if (isInView(message_id)) postToTabs('in view', { message_id })
  })
  onTabMessage('in view', ({ message_id }) => waiting.get(message_id)?.(true))
}

/** Returns whether this or another tab has the focus and shows the message. */
export async function isSeen(message_id: number): Promise<boolean> {
  if (isInView(message_id)) return true
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.set(message_id, resolve)
  // The question is posted after the listeners have run, so other tabs have received the message before.
  setTimeout(() => {
    postToTabs('in view?', { message_id })
    setTimeout(() => resolve(false), answerMs)
  })
  const found = await promise
  waiting.delete(message_id)
  return found
}
