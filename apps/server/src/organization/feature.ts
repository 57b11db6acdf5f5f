import type { Feature } from '../feature.ts'
import { serverRoutes } from './routes.ts'
import { organizationState, videoCallsState } from './state.ts'

/** Organizations and their rules for addresses; server_settings. */
export const organizationFeature = {
  routes: { server: serverRoutes },
  state: [organizationState, videoCallsState],
} satisfies Feature
