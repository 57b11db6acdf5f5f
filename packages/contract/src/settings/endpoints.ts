import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { json, quotableText, text } from '../kernel/params.ts'
import { maxCharacters, oneOfIntegers, oneOfStrings } from '../kernel/schemas.ts'
import { languages } from '../server/languages.ts'
import { displaySettings, emojisets, notificationSettings } from './shape.ts'

const flag = json(z.boolean().optional())
const choice = json(oneOfIntegers([1, 2, 3]).optional())

/** Limits the size of the error text, which repeats an unknown command. */
const maxCommandLength = 100

const partly = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).partial().shape

export const updateDisplay = endpoint({
  summary: 'Change the display settings of the account.',
  description: 'The response contains the settings that changed, with their new values.',
  method: 'PATCH',
  path: '/api/v1/settings/display',
  auth: 'user',
  only: ['people'],
  params: {
    twenty_four_hour_time: flag,
    dense_mode: flag,
    starred_message_counts: flag,
    fluid_layout_width: flag,
    high_contrast_mode: flag,
    color_scheme: choice,
    translate_emoticons: flag,
    default_language: quotableText(oneOfStrings(languages).optional()),
    left_side_userlist: flag,
    emojiset: quotableText(oneOfStrings(emojisets).optional()),
    demote_inactive_streams: choice,
    timezone: quotableText(z.string().optional()),
  },
  response: partly(displaySettings),
  errors: ['TIMEZONE_INVALID'],
})

export const updateNotifications = endpoint({
  summary: 'Change the notification settings of the account.',
  description: 'The response contains the settings that changed, with their new values.',
  method: 'PATCH',
  path: '/api/v1/settings/notifications',
  auth: 'user',
  only: ['people'],
  params: {
    enable_stream_desktop_notifications: flag,
    enable_stream_email_notifications: flag,
    enable_stream_push_notifications: flag,
    enable_stream_audible_notifications: flag,
    wildcard_mentions_notify: flag,
    notification_sound: quotableText(z.string().optional()),
    enable_desktop_notifications: flag,
    enable_sounds: flag,
    enable_offline_email_notifications: flag,
    enable_offline_push_notifications: flag,
    enable_online_push_notifications: flag,
    enable_digest_emails: flag,
    enable_login_emails: flag,
    message_content_in_email_notifications: flag,
    pm_content_in_desktop_notifications: flag,
    desktop_icon_count_display: choice,
    realm_name_in_notifications: flag,
    presence_enabled: flag,
  },
  response: partly(notificationSettings),
  errors: ['NOTIFICATION_SOUND_INVALID'],
})

export const runCommand = endpoint({
  summary: 'Run a slash command.',
  description:
    '`/ping` does nothing. `/night`, `/day`, `/fluid-width` and `/fixed-width` change a display setting of the account; `msg` in the response says what changed, to be shown to users.',
  method: 'POST',
  path: '/api/v1/zcommand',
  auth: 'user',
  params: { command: text(maxCharacters(maxCommandLength)) },
  response: { msg: z.string().optional() },
  errors: ['COMMAND_WITHOUT_SLASH', 'COMMAND_UNKNOWN'],
})

export const setEnterSends = endpoint({
  summary: 'Change whether the Enter key sends a message.',
  method: 'POST',
  path: '/api/v1/users/me/enter-sends',
  auth: 'user',
  only: ['people'],
  params: { enter_sends: json(z.boolean()) },
  response: {},
  errors: [],
})

export const dismissHotspot = endpoint({
  summary: 'Mark a hotspot as read, so that the next one is shown.',
  method: 'POST',
  path: '/api/v1/users/me/hotspots',
  auth: 'user',
  only: ['people'],
  params: { hotspot: quotableText(z.string()) },
  response: {},
  errors: ['HOTSPOT_UNKNOWN'],
})

export const setTutorialStatus = endpoint({
  summary: 'Record the progress of the account in the tutorial.',
  method: 'POST',
  path: '/api/v1/users/me/tutorial_status',
  auth: 'user',
  only: ['people'],
  params: {
    status: quotableText(z.string()),
  },
  response: {},
  errors: [],
})
