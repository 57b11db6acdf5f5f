import {
  type DisplaySettings,
  displaySettings,
  type Hotspot,
  type NotificationSettings,
  notificationSettings,
} from '@oxbow/contract'
import type { Emission } from '../../events/record.ts'
import type { UserRow } from '../../platform/database/tables.ts'

/** The account whose settings changed. */
export type SettingsOwner = Pick<UserRow, 'organization_id' | 'id'> & { email: string }

type DisplayName = keyof DisplaySettings | 'enter_sends'

export function displaySettingChanged(
  { organization_id, id, email }: SettingsOwner,
  setting_name: DisplayName,
  setting: boolean | number | string,
): Emission {
  const language_name = setting_name === 'default_language' ? getLanguageName(String(setting)) : undefined
  return {
    organization_id,
    event: {
      type: 'update_display_settings',
      user: email,
      setting_name,
      setting,
      ...(language_name !== undefined && { language_name }),
    },
    to: { users: [id] },
    since: setting_name === 'enter_sends' ? undefined : displaySettings[setting_name].since,
  }
}

export function notificationSettingChanged(
  { organization_id, id, email }: SettingsOwner,
  notification_name: keyof NotificationSettings,
  setting: boolean | number | string,
): Emission {
  return {
    organization_id,
    event: { type: 'update_global_notifications', user: email, notification_name, setting },
    to: { users: [id] },
    since: notificationSettings[notification_name].since,
  }
}

export function hotspotsChanged(
  { organization_id, id }: Pick<SettingsOwner, 'organization_id' | 'id'>,
  hotspots: readonly Hotspot[],
): Emission {
  return { organization_id, event: { type: 'hotspots', hotspots }, to: { users: [id] } }
}

/** Returns the language's name in that language. */
function getLanguageName(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
}
