import { z } from 'zod'
import { json, quotableText } from '../kernel/params.ts'
import { oneOfIntegers, oneOfStrings } from '../kernel/schemas.ts'
import { inAlphabeticalOrder, type OutputOf, setting, valuesOf } from '../kernel/setting.ts'
import { languages } from '../server/languages.ts'

export const notificationSounds = ['ding', 'chat'] as const
export const emojisets = ['google', 'google-blob', 'twitter', 'text'] as const

const choice = (about: string) =>
  setting(z.literal([1, 2, 3]), about, {
    param: (description) => json(oneOfIntegers([1, 2, 3]).optional(), description),
  })

/** Declares in which topics the server changes the attention of the account by itself. */
const automaticAttention = (about: string) =>
  setting(
    z.literal([1, 2, 3, 4]),
    `${about}: 1 topics in which the user takes part, 2 in which they write, 3 that they start, 4 none.`,
    { param: (description) => json(oneOfIntegers([1, 2, 3, 4]).optional(), description), since: 371 },
  )

/** Display settings of an account, in the order in which their parameters are checked. */
export const displaySettings = {
  twenty_four_hour_time: setting(z.boolean(), 'Whether times are shown on a 24-hour clock.'),
  dense_mode: setting(z.boolean(), 'Whether text is shown with less spacing.'),
  starred_message_counts: setting(z.boolean(), 'Whether the number of starred messages is shown.'),
  fluid_layout_width: setting(z.boolean(), 'Whether the user interface uses the whole width of the window.'),
  high_contrast_mode: setting(z.boolean(), 'Whether the user interface has more contrast.'),
  color_scheme: choice('The colour scheme: 1 automatic, 2 night, 3 light.'),
  translate_emoticons: setting(z.boolean(), 'Whether emoticons such as `:)` in sent messages become emoji.'),
  default_language: setting(z.string(), 'The language of the user interface, as a code like `en`.', {
    param: (about) => quotableText(oneOfStrings(languages).optional(), about),
    stored: z.string().max(50),
  }),
  left_side_userlist: setting(
    z.boolean(),
    'Whether the list of users is in the left sidebar in narrow windows.',
  ),
  emojiset: setting(z.enum(emojisets), 'The set of pictures for emoji.', {
    param: (about) => quotableText(oneOfStrings(emojisets).optional(), about),
  }),
  demote_inactive_streams: choice(
    'Whether inactive streams are shown below others: 1 automatic, 2 always, 3 never.',
  ),
  send_read_receipts: setting(z.boolean(), 'Whether others may see which messages this account has read.', {
    since: 371,
  }),
  timezone: setting(z.string(), 'The time zone, as a name of the tz database. Empty if none was chosen.', {
    param: (about) => quotableText(z.string().optional(), about),
  }),
}
export type DisplaySettings = OutputOf<typeof displaySettings>

const streamMessages = 'for all messages in streams, unless a stream has its own setting'

/** Notification settings of an account, in the order in which their parameters are checked. */
export const notificationSettings = {
  enable_stream_desktop_notifications: setting(
    z.boolean(),
    `Whether there are desktop notifications ${streamMessages}.`,
  ),
  enable_stream_email_notifications: setting(
    z.boolean(),
    `Whether there are e-mail notifications ${streamMessages}.`,
  ),
  enable_stream_push_notifications: setting(
    z.boolean(),
    `Whether there are push notifications ${streamMessages}.`,
  ),
  enable_stream_audible_notifications: setting(
    z.boolean(),
    `Whether there are audible notifications ${streamMessages}.`,
  ),
  wildcard_mentions_notify: setting(
    z.boolean(),
    'Whether mentions of everyone notify like a personal mention.',
  ),
  notification_sound: setting(
    z.string(),
    'The name of the notification sound, from `available_notification_sounds`.',
    { param: (about) => quotableText(z.string().optional(), about), stored: z.string().max(100) },
  ),
  enable_desktop_notifications: setting(
    z.boolean(),
    'Whether private messages and mentions cause desktop notifications.',
  ),
  enable_sounds: setting(z.boolean(), 'Whether private messages and mentions cause an audible notification.'),
  enable_offline_email_notifications: setting(
    z.boolean(),
    'Whether private messages and mentions cause e-mail notifications while the user is away.',
  ),
  enable_offline_push_notifications: setting(
    z.boolean(),
    'Whether private messages and mentions cause push notifications while the user is away.',
  ),
  enable_online_push_notifications: setting(
    z.boolean(),
    'Whether push notifications are sent even while the user is active.',
  ),
  enable_digest_emails: setting(z.boolean(), 'Whether the user gets digest e-mails after being away.'),
  enable_login_emails: setting(
    z.boolean(),
    'Whether the user gets an e-mail about sign-ins from new devices.',
  ),
  message_content_in_email_notifications: setting(
    z.boolean(),
    'Whether e-mail notifications include the content of messages.',
  ),
  pm_content_in_desktop_notifications: setting(
    z.boolean(),
    'Whether desktop notifications include the content of private messages.',
  ),
  desktop_icon_count_display: choice(
    'What the number on the desktop icon counts: 1 all unread messages, 2 only messages that cause notifications, 3 nothing.',
  ),
  realm_name_in_notifications: setting(
    z.boolean(),
    'Whether e-mail notifications name the organization. It is a setting of the account, despite its name.',
  ),
  presence_enabled: setting(z.boolean(), 'Whether other users can see when this user is active.'),
  automatically_follow_topics_policy: automaticAttention('Which topics the user follows by themselves'),
  automatically_unmute_topics_in_muted_streams_policy: automaticAttention(
    'Which topics of muted streams are unmuted by themselves',
  ),
  automatically_follow_topics_where_mentioned: setting(
    z.boolean(),
    'Whether the user follows topics in which they are mentioned.',
    { since: 371 },
  ),
}
export type NotificationSettings = OutputOf<typeof notificationSettings>

export const displayState = inAlphabeticalOrder(valuesOf(displaySettings))
export const notificationState = inAlphabeticalOrder(valuesOf(notificationSettings))

export const displaySettingNames = Object.keys(displayState) as (keyof DisplaySettings)[]
export const notificationSettingNames = Object.keys(notificationState) as (keyof NotificationSettings)[]
