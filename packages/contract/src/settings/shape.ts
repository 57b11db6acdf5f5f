import { z } from 'zod'

export const notificationSounds = ['ding', 'chat'] as const
export const emojisets = ['google', 'google-blob', 'twitter', 'text'] as const

/** Display settings of an account. */
export const displaySettings = {
  color_scheme: z.literal([1, 2, 3]),
  default_language: z.string(),
  demote_inactive_streams: z.literal([1, 2, 3]),
  dense_mode: z.boolean(),
  emojiset: z.enum(emojisets),
  fluid_layout_width: z.boolean(),
  high_contrast_mode: z.boolean(),
  left_side_userlist: z.boolean(),
  starred_message_counts: z.boolean(),
  timezone: z.string(),
  translate_emoticons: z.boolean(),
  twenty_four_hour_time: z.boolean(),
}

/** Notification settings of an account. */
export const notificationSettings = {
  desktop_icon_count_display: z.literal([1, 2, 3]),
  enable_desktop_notifications: z.boolean(),
  enable_digest_emails: z.boolean(),
  enable_login_emails: z.boolean(),
  enable_offline_email_notifications: z.boolean(),
  enable_offline_push_notifications: z.boolean(),
  enable_online_push_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  enable_stream_audible_notifications: z.boolean(),
  enable_stream_desktop_notifications: z.boolean(),
  enable_stream_email_notifications: z.boolean(),
  enable_stream_push_notifications: z.boolean(),
  message_content_in_email_notifications: z.boolean(),
  notification_sound: z.string(),
  pm_content_in_desktop_notifications: z.boolean(),
  presence_enabled: z.boolean(),
  realm_name_in_notifications: z.boolean(),
  wildcard_mentions_notify: z.boolean(),
}

type Values<Settings extends Record<string, z.ZodType>> = {
  [Name in keyof Settings]: z.output<Settings[Name]>
}
export type DisplaySettings = Values<typeof displaySettings>
export type NotificationSettings = Values<typeof notificationSettings>

export const displaySettingNames = Object.keys(displaySettings) as (keyof DisplaySettings)[]
export const notificationSettingNames = Object.keys(notificationSettings) as (keyof NotificationSettings)[]
