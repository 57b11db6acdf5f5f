import type { StateSlice } from '../events/state-slice.ts'
import { getDisplaySettings, getNotificationSettings } from './queries.ts'

export const displaySettingsState: StateSlice = {
  types: ['update_display_settings'],
  read: async ({ actor, db }) => ({ ...(await getDisplaySettings(db, actor)), emojiset_choices }),
}

export const notificationSettingsState: StateSlice = {
  types: ['update_global_notifications'],
  read: async ({ actor, db }) => ({
    ...(await getNotificationSettings(db, actor)),
    available_notification_sounds: ['ding', 'chat'],
  }),
}

const emojiset_choices = [
  { key: 'google', text: 'Google modern' },
  { key: 'google-blob', text: 'Google classic' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
]
