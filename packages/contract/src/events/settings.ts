import { z } from 'zod'
import { displaySettingNames, notificationSettingNames } from '../shapes/settings.ts'
import { eventSchema } from './event-schema.ts'

const setting = z.union([z.boolean(), z.int(), z.string()])

export const displaySettingsEvent = eventSchema('update_display_settings', {
  user: z.string(),
  setting_name: z.enum([...displaySettingNames, 'enter_sends']),
  setting,
  language_name: z.string().optional(),
})
export type DisplaySettingsEvent = z.infer<typeof displaySettingsEvent>

export const notificationSettingsEvent = eventSchema('update_global_notifications', {
  user: z.string(),
  notification_name: z.enum(notificationSettingNames),
  setting,
})
export type NotificationSettingsEvent = z.infer<typeof notificationSettingsEvent>
