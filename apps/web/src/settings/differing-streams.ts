import type { Subscription } from '@oxbow/contract'
import { computed } from '@preact/signals'
import { desktopOfStreams, soundOfStreams, subscriptions } from '../client/store.ts'

/** How a stream notifies: on the screen, and by sound. */
export interface StreamNotifications {
  readonly desktop_notifications: boolean
  readonly audible_notifications: boolean
}

/** The general notification settings, for streams without their own. */
export const usualNotifications = computed(
  (): StreamNotifications => ({
    desktop_notifications: desktopOfStreams.value ?? false,
    audible_notifications: soundOfStreams.value ?? false,
  }),
)

/**
 * Returns the notification settings of a stream. Where the stream has null, the general setting
 * applies.
 */
export function notificationsOf(stream: Subscription, usual: StreamNotifications): StreamNotifications {
  return {
    desktop_notifications: stream.desktop_notifications ?? usual.desktop_notifications,
    audible_notifications: stream.audible_notifications ?? usual.audible_notifications,
  }
}

/** Streams whose notification settings differ from the general ones, by name. */
export const differingStreams = computed(() => {
  const usual = usualNotifications.value
  return (subscriptions.value ?? [])
    .filter((stream) => {
      const own = notificationsOf(stream, usual)
      return (
        own.desktop_notifications !== usual.desktop_notifications ||
        own.audible_notifications !== usual.audible_notifications
      )
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))
})
