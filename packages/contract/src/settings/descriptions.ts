import { alertWordsEvent } from '../alert-words/events.ts'
import { maxAlertWordLength, maxAlertWords } from '../alert-words/shape.ts'
import { api } from '../api.ts'
import { hotspotsEvent } from '../hotspots/events.ts'
import { hotspot } from '../hotspots/shape.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields, type Texts } from '../kernel/describe.ts'
import { userStatusEvent } from '../user-status/events.ts'
import { maxStatusTextLength, userStatus } from '../user-status/shape.ts'
import { displaySettingsEvent, notificationSettingsEvent } from './events.ts'
import type { displaySettings, notificationSettings } from './shape.ts'

export const displayTexts: Texts<typeof displaySettings> = {
  color_scheme: 'The colour scheme: 1 automatic, 2 night, 3 light.',
  default_language: 'The language of the user interface, as a code like `en`.',
  demote_inactive_streams: 'Whether inactive streams are shown below others: 1 automatic, 2 always, 3 never.',
  dense_mode: 'Whether text is shown with less spacing.',
  emojiset: 'The set of pictures for emoji.',
  fluid_layout_width: 'Whether the user interface uses the whole width of the window.',
  high_contrast_mode: 'Whether the user interface has more contrast.',
  left_side_userlist: 'Whether the list of users is in the left sidebar in narrow windows.',
  starred_message_counts: 'Whether the number of starred messages is shown.',
  timezone: 'The time zone, as a name of the tz database. Empty if none was chosen.',
  translate_emoticons: 'Whether emoticons such as `:)` in sent messages become emoji.',
  twenty_four_hour_time: 'Whether times are shown on a 24-hour clock.',
}

const streamMessages = 'for all messages in streams, unless a stream has its own setting'
export const notificationTexts: Texts<typeof notificationSettings> = {
  desktop_icon_count_display:
    'What the number on the desktop icon counts: 1 all unread messages, 2 only messages that cause notifications, 3 nothing.',
  enable_desktop_notifications: 'Whether private messages and mentions cause desktop notifications.',
  enable_digest_emails: 'Whether the user gets digest e-mails after being away.',
  enable_login_emails: 'Whether the user gets an e-mail about sign-ins from new devices.',
  enable_offline_email_notifications:
    'Whether private messages and mentions cause e-mail notifications while the user is away.',
  enable_offline_push_notifications:
    'Whether private messages and mentions cause push notifications while the user is away.',
  enable_online_push_notifications: 'Whether push notifications are sent even while the user is active.',
  enable_sounds: 'Whether private messages and mentions cause an audible notification.',
  enable_stream_audible_notifications: `Whether there are audible notifications ${streamMessages}.`,
  enable_stream_desktop_notifications: `Whether there are desktop notifications ${streamMessages}.`,
  enable_stream_email_notifications: `Whether there are e-mail notifications ${streamMessages}.`,
  enable_stream_push_notifications: `Whether there are push notifications ${streamMessages}.`,
  message_content_in_email_notifications: 'Whether e-mail notifications include the content of messages.',
  notification_sound: 'The name of the notification sound, from `available_notification_sounds`.',
  pm_content_in_desktop_notifications:
    'Whether desktop notifications include the content of private messages.',
  presence_enabled: 'Whether other users can see when this user is active.',
  realm_name_in_notifications:
    'Whether e-mail notifications name the organization. It is a setting of the account, despite its name.',
  wildcard_mentions_notify: 'Whether mentions of everyone notify like a personal mention.',
}

const withSuffix = <Shape extends Record<string, string>>(shape: Shape, suffix: string): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, text]) => [name, `${text} ${suffix}`])) as Shape

const unchanged = 'Unchanged if absent.'
const ifChanged = 'Present only if it changed.'
describeEndpoint(
  api.settings.updateDisplay,
  withSuffix(displayTexts, unchanged),
  withSuffix(displayTexts, ifChanged),
)
describeEndpoint(
  api.settings.updateNotifications,
  withSuffix(notificationTexts, unchanged),
  withSuffix(notificationTexts, ifChanged),
)
describeEndpoint(
  api.settings.runCommand,
  { command: 'The command, with its slash: `/night`.' },
  { msg: 'The effect of the command, to be shown to users. Empty for `/ping`.' },
)
describeEndpoint(
  api.settings.setEnterSends,
  { enter_sends: 'Whether the Enter key sends a message instead of starting a new line.' },
  {},
)
describeEndpoint(api.settings.dismissHotspot, { hotspot: 'The name of the hotspot to dismiss.' }, {})
describeEndpoint(
  api.settings.setTutorialStatus,
  {
    status: '`started` or `finished`. Other values change nothing. After `finished`, no hotspots are shown.',
  },
  {},
)

const user = 'The API address of this account.'
describeEvent(displaySettingsEvent, {
  user,
  setting_name: 'The name of the setting that changed.',
  setting: 'The new value of the setting.',
  language_name: 'The name of the new language. Present only if `setting_name` is `default_language`.',
})
describeEvent(notificationSettingsEvent, {
  user,
  notification_name: 'The name of the setting that changed.',
  setting: 'The new value of the setting.',
})

describeFields(hotspot, {
  name: 'The name of the hotspot.',
  title: 'The title, to be shown to users.',
  description: 'The explanation, to be shown to users.',
  delay: 'How many seconds to wait before the hotspot is shown.',
})
describeEvent(hotspotsEvent, {
  hotspots: 'The next hotspot to show. Empty if there are no more.',
})

const alertWordList = 'All alert words of the account, in the order in which they were added.'
describeEndpoint(api.alertWords.list, {}, { alert_words: alertWordList })
describeEndpoint(
  api.alertWords.add,
  {
    alert_words: `The words to add, of up to ${maxAlertWordLength} characters each. An account may have ${maxAlertWords} of them.`,
  },
  { alert_words: alertWordList },
)
describeEndpoint(
  api.alertWords.remove,
  { alert_words: 'The words to remove.' },
  { alert_words: alertWordList },
)
describeEvent(alertWordsEvent, { alert_words: alertWordList })

describeFields(userStatus, {
  away: 'True if the user is marked as unavailable. Absent otherwise.',
  status_text: "The user's status text. Absent if there is none.",
})
describeEndpoint(
  api.userStatus.set,
  {
    away: 'Whether to mark the account as unavailable. Unchanged if absent.',
    status_text: `The status text, of up to ${maxStatusTextLength} characters. Empty to clear it, unchanged if absent.`,
  },
  {},
)
describeEvent(userStatusEvent, {
  user_id: texts.userId,
  away: 'Whether the user is marked as unavailable. Absent if it did not change.',
  status_text: 'The new status text. Empty if it was cleared, absent if it did not change.',
})

const token = 'The token by which the push service of the manufacturer identifies the device.'
describeEndpoint(
  api.devices.addApple,
  { token, appid: 'The id of the app that registers, of up to 255 characters.' },
  {},
)
describeEndpoint(api.devices.removeApple, { token }, {})
describeEndpoint(api.devices.addAndroid, { token }, {})
describeEndpoint(api.devices.removeAndroid, { token }, {})
