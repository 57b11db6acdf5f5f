/** Returns the service worker of the site. It exists only over HTTPS and on localhost. */
export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await globalThis.navigator?.serviceWorker?.getRegistration().catch(() => undefined)
  return registration?.active ? registration : undefined
}

/** Returns the notifications that the service worker shows, which stay after their page is closed. */
export const listWorkerNotifications = async (): Promise<Notification[]> =>
  (await (await findWorker())?.getNotifications().catch(() => [])) ?? []
