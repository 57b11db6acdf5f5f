import { notificationSounds } from '@oxbow/contract'
import type { StateSlice } from '../events/state-slice.ts'
import { listNextHotspots } from './hotspots.ts'
import { getDisplaySettings, getNotificationSettings, getTour } from './queries.ts'

export const displaySettingsState: StateSlice = {
  types: ['update_display_settings'],
  read: async ({ actor, db }) => ({ ...(await getDisplaySettings(db, actor)), emojiset_choices }),
}

export const notificationSettingsState: StateSlice = {
  types: ['update_global_notifications'],
  read: async ({ actor, db }) => ({
    ...(await getNotificationSettings(db, actor)),
    available_notification_sounds: notificationSounds,
  }),
}

export const hotspotsState: StateSlice = {
  types: ['hotspots'],
  read: async ({ actor, db }) => ({ hotspots: listNextHotspots(await getTour(db, actor)) }),
}

const emojiset_choices = [
  { key: 'google', text: 'Google modern' },
  { key: 'google-blob', text: 'Google classic' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
]
