import type { MessageId } from '@oxbow/contract'
import { openHash } from '../route/router.ts'
import { findWorker, listWorkerNotifications } from './worker-notifications.ts'

export interface ShownNotification {
  readonly title: string
  readonly text: string
  /** Key of the conversation. A later message of it replaces the notification of an earlier one. */
  readonly conversation: string
  readonly message_id: MessageId
  /** Fragment of the URL that a click opens: the message. */
  readonly hash: string
}

/** Notifications of this page, for browsers without a service worker. */
const own = new Map<string, Notification>()

/** Opens the message of a notification that was clicked. `public/sw.js` posts the click to a page. */
export function startNotificationClicks(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.kind === 'open' && typeof data.hash === 'string') openHash(data.hash)
  })
}

/**
 * Shows a notification. Uses the service worker if there is one, because the notification then
 * outlives the page.
 */
export async function showNotification(shown: ShownNotification): Promise<void> {
  const { title, text, conversation, message_id, hash } = shown
  // The browser plays no sound, because the client plays one if the user's settings ask for it.
  const options = { body: text, tag: conversation, silent: true, data: { message_id, hash } }
  const worker = await findWorker()
  if (worker) return worker.showNotification(title, options)
  const notification = new Notification(title, options)
  own.set(conversation, notification)
  notification.onclick = () => {
    focus()
    openHash(hash)
    notification.close()
  }
  notification.onclose = () => {
    if (own.get(conversation) === notification) own.delete(conversation)
  }
}

/** Closes the notifications of messages that were read or deleted. */
export async function closeNotifications(isGone: (message_id: MessageId) => boolean): Promise<void> {
  for (const notification of [...(await listWorkerNotifications()), ...own.values()])
    if (isGone(notification.data?.message_id)) notification.close()
}
