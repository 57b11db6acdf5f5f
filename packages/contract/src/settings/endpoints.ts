import { z } from 'zod'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { json, quotableText, text } from '../kernel/params.ts'
import { maxCharacters } from '../kernel/schemas.ts'
import { changedFields, paramsOf } from '../kernel/setting.ts'
import { displaySettings, displayState, notificationSettings, notificationState } from './shape.ts'

/** Limits the size of the error text, which repeats an unknown command. */
const maxCommandLength = 100

export const updateDisplay = endpoint({
  summary: 'Change the display settings of the account.',
  description: 'The response contains the settings that changed, with their new values.',
  method: 'PATCH',
  path: '/api/v1/settings/display',
  auth: 'user',
  only: ['people'],
  params: paramsOf(displaySettings),
  response: changedFields(displayState),
  errors: ['TIMEZONE_INVALID'],
})

export const updateNotifications = endpoint({
  summary: 'Change the notification settings of the account.',
  description: 'The response contains the settings that changed, with their new values.',
  method: 'PATCH',
  path: '/api/v1/settings/notifications',
  auth: 'user',
  only: ['people'],
  params: paramsOf(notificationSettings),
  response: changedFields(notificationState),
  errors: ['NOTIFICATION_SOUND_INVALID'],
})

export const runCommand = endpoint({
  summary: 'Run a slash command.',
  description:
    '`/ping` does nothing. `/night`, `/day`, `/fluid-width` and `/fixed-width` change a display setting of the account; `msg` in the response says what changed, to be shown to users.',
  method: 'POST',
  path: '/api/v1/zcommand',
  auth: 'user',
  params: { command: text(maxCharacters(maxCommandLength), 'The command, with its slash: `/night`.') },
  response: {
    msg: field(z.string().optional(), 'The effect of the command, to be shown to users. Empty for `/ping`.'),
  },
  errors: ['COMMAND_WITHOUT_SLASH', 'COMMAND_UNKNOWN'],
})

export const setEnterSends = endpoint({
  summary: 'Change whether the Enter key sends a message.',
  method: 'POST',
  path: '/api/v1/users/me/enter-sends',
  auth: 'user',
  only: ['people'],
  params: {
    enter_sends: json(z.boolean(), 'Whether the Enter key sends a message instead of starting a new line.'),
  },
  response: {},
  errors: [],
})

export const dismissHotspot = endpoint({
  summary: 'Mark a hotspot as read, so that the next one is shown.',
  method: 'POST',
  path: '/api/v1/users/me/hotspots',
  auth: 'user',
  only: ['people'],
  params: { hotspot: quotableText(z.string(), 'The name of the hotspot to dismiss.') },
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
    status: quotableText(
      z.string(),
      '`started` or `finished`. Other values change nothing. After `finished`, no hotspots are shown.',
    ),
  },
  response: {},
  errors: [],
})
