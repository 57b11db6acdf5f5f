import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { displaySettingNames, notificationSettingNames } from './shape.ts'

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
