import { signal } from '@preact/signals'
import { readEntry, writeEntry } from './device-entries.ts'

/** `unsupported` if the browser has no notifications, or allows them only over HTTPS. */
export type Permission = NotificationPermission | 'unsupported'

const read = (): Permission => (typeof Notification === 'function' ? Notification.permission : 'unsupported')

/** Whether the browser lets this site show notifications. */
export const permission = signal<Permission>('unsupported')

/**
 * Whether a notification could not be shown for lack of the permission. Only then does the nav offer to
 * request it.
 */
const hasMissed = signal(false)

const isPutOff = signal(readEntry('notifications') === 'later')

/** Whether the nav offers to allow notifications. Reads signals. */
export const isOffered = (): boolean => permission.value === 'default' && hasMissed.value && !isPutOff.value

/** Reads the permission now and whenever the user returns to the page. */
export function startPermission(): void {
  const note = () => {
    permission.value = read()
  }
  note()
  addEventListener('focus', note)
  document.addEventListener('visibilitychange', note)
}

/** Records that a notification was due but could not be shown. */
export function noteMissed(): void {
  hasMissed.value = true
}

/** Asks the user for the permission; browsers allow it only after a click. */
export async function requestPermission(): Promise<void> {
  if (read() === 'unsupported') return
  permission.value = await Notification.requestPermission()
}

/** Stops offering notifications in the nav of this browser; the settings still offer them. */
export function putOff(): void {
  isPutOff.value = true
  writeEntry('notifications', 'later')
}
