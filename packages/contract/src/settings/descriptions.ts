import { alertWordsEvent } from '../alert-words/events.ts'
import { maxAlertWordLength, maxAlertWords } from '../alert-words/shape.ts'
import { api } from '../api.ts'
import { hotspotsEvent } from '../hotspots/events.ts'
import { hotspot } from '../hotspots/shape.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { pick } from '../kernel/setting.ts'
import { userStatusEvent } from '../user-status/events.ts'
import { maxStatusTextLength, userStatus } from '../user-status/shape.ts'
import { displaySettingsEvent, notificationSettingsEvent } from './events.ts'
import { displaySettings, notificationSettings } from './shape.ts'

export const displayTexts = pick(displaySettings, ({ about }) => about)
export const notificationTexts = pick(notificationSettings, ({ about }) => about)

describeEndpoint(
  api.settings.updateDisplay,
  pick(displaySettings, ({ paramAbout }) => paramAbout),
  pick(displaySettings, ({ about }) => `${about} Present only if it changed.`),
)
describeEndpoint(
  api.settings.updateNotifications,
  pick(notificationSettings, ({ paramAbout }) => paramAbout),
  pick(notificationSettings, ({ about }) => `${about} Present only if it changed.`),
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
