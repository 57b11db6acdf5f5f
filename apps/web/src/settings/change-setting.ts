import type { DisplaySettings, DisplaySettingsEvent, NotificationSettings } from '@oxbow/contract'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically, type PendingEvent } from '../client/pending.ts'
import { ownEmail } from '../client/store.ts'

/** Changes a display setting optimistically; if it is refused, restores it and shows the reason. */
export async function changeDisplay<Name extends keyof DisplaySettings>(
  name: Name,
  value: DisplaySettings[Name],
): Promise<void> {
  await awaitOrShowRefusal(
    applyOptimistically([displayEvent(name, value)], (options) =>
      client.settings.updateDisplay({ [name]: value } as object, options),
    ),
  )
}

/** Changes whether Enter sends a message. */
export async function changeEnterSends(enter_sends: boolean): Promise<void> {
  await awaitOrShowRefusal(
    applyOptimistically([displayEvent('enter_sends', enter_sends)], (options) =>
      client.settings.setEnterSends({ enter_sends }, options),
    ),
  )
}

/** Changes a notification setting. */
export async function changeNotifications<Name extends keyof NotificationSettings>(
  name: Name,
  value: NotificationSettings[Name],
): Promise<void> {
  const event: PendingEvent = {
    type: 'update_global_notifications',
    user: ownEmail.peek() ?? '',
    notification_name: name,
    setting: value,
  }
  await awaitOrShowRefusal(
    applyOptimistically([event], (options) =>
      client.settings.updateNotifications({ [name]: value } as object, options),
    ),
  )
}

const displayEvent = (
  setting_name: DisplaySettingsEvent['setting_name'],
  setting: DisplaySettingsEvent['setting'],
): PendingEvent => ({
  type: 'update_display_settings',
  user: ownEmail.peek() ?? '',
  setting_name,
  setting,
})
