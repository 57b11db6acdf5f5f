import { type api, notificationSounds } from '@oxbow/contract'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { listNextHotspots } from './hotspots.ts'
import { getDisplaySettings, getNotificationSettings, getTour } from './queries.ts'
import { runCommand } from './run-command.ts'
import { setEnterSends } from './set-enter-sends.ts'
import { dismissHotspot, setTutorialStatus } from './take-tour.ts'
import { updateDisplay } from './update-display.ts'
import { updateNotifications } from './update-notifications.ts'

const settingsRoutes: Routes<typeof api.settings> = {
  updateDisplay,
  updateNotifications,
  runCommand,
  setEnterSends,
  dismissHotspot,
  setTutorialStatus,
}

const displaySettingsState: StateSlice = {
  types: ['update_display_settings'],
  read: async ({ actor, db }) => ({ ...(await getDisplaySettings(db, actor)), emojiset_choices }),
}

const notificationSettingsState: StateSlice = {
  types: ['update_global_notifications'],
  read: async ({ actor, db }) => ({
    ...(await getNotificationSettings(db, actor)),
    available_notification_sounds: notificationSounds,
  }),
}

const hotspotsState: StateSlice = {
  types: ['hotspots'],
  read: async ({ actor, db }) => ({ hotspots: listNextHotspots(await getTour(db, actor)) }),
}

const emojiset_choices = [
  { key: 'google', text: 'Google modern' },
  { key: 'google-blob', text: 'Google classic' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
]

/** Display and notification settings of a user. */
export const settingsFeature = {
  routes: { settings: settingsRoutes },
  state: [displaySettingsState, notificationSettingsState, hotspotsState],
} satisfies Feature
