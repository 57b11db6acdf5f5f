import type { Feature } from '../feature.ts'
import { settingsRoutes } from './routes.ts'
import { displaySettingsState, hotspotsState, notificationSettingsState } from './state.ts'

/** Display and notification settings of a user. */
export const settingsFeature = {
  routes: { settings: settingsRoutes },
  state: [displaySettingsState, notificationSettingsState, hotspotsState],
} satisfies Feature
