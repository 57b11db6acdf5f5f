import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { field } from '../kernel/field.ts'
import { displaySettingNames, notificationSettingNames } from './shape.ts'

const user = 'The API address of this account.'

const setting = z.union([z.boolean(), z.int(), z.string()])

export const displaySettingsEvent = eventSchema('update_display_settings', {
  user: field(z.string(), user),
  setting_name: field(
    z.enum([...displaySettingNames, 'enter_sends']),
    'The name of the setting that changed.',
  ),
  setting: field(setting, 'The new value of the setting.'),
  language_name: field(
    z.string().optional(),
    'The name of the new language. Present only if `setting_name` is `default_language`.',
  ),
})
export type DisplaySettingsEvent = z.infer<typeof displaySettingsEvent>

export const notificationSettingsEvent = eventSchema('update_global_notifications', {
  user: field(z.string(), user),
  notification_name: field(z.enum(notificationSettingNames), 'The name of the setting that changed.'),
  setting: field(setting, 'The new value of the setting.'),
})
export type NotificationSettingsEvent = z.infer<typeof notificationSettingsEvent>
