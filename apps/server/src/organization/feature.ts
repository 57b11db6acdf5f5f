import type { Feature } from '../feature.ts'
import { serverRoutes } from './routes.ts'
import { organizationState, videoCallsState } from './state.ts'

/** Organizations, their rules for e-mail addresses, and the endpoint `server_settings`. */
export const organizationFeature = {
  routes: { server: serverRoutes },
  state: [organizationState, videoCallsState],
} satisfies Feature
