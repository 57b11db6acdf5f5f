import { openHash } from '../router/router.ts'

export interface ShownNotification {
  readonly title: string
  readonly text: string
  /** Key of the conversation; a later message replaces the notification of an earlier one. */
  readonly conversation: string
  readonly message_id: number
  /** Fragment of the URL at which a click opens the message. */
  readonly hash: string
}

/** Notifications of this page, for browsers without a service worker. */
const own = new Map<string, Notification>()

/** Service workers exist only over HTTPS and on localhost. */
const findWorker = async (): Promise<ServiceWorkerRegistration | undefined> => {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  return registration?.active ? registration : undefined
}

/** Opens the message of a notification that was clicked; `public/sw.js` sends it to a page. */
export function startNotificationClicks(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.kind === 'open' && typeof data.hash === 'string') openHash(data.hash)
  })
}

/** Shows a notification; through the service worker if there is one, because it then outlives the page. */
export async function showNotification(shown: ShownNotification): Promise<void> {
  const { title, text, conversation, message_id, hash } = shown
  // The client plays its own sound, which is a setting.
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
export async function closeNotifications(isGone: (message_id: number) => boolean): Promise<void> {
  const kept = (await (await findWorker())?.getNotifications()) ?? []
  for (const notification of [...kept, ...own.values()])
    if (isGone(notification.data?.message_id)) notification.close()
}
