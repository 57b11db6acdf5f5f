import type { api } from '@oxbow/contract'
import type { Feature } from '../feature.ts'
import type { Routes } from '../platform/http/bind.ts'
import { checkSubdomain } from './check-subdomain.ts'
import { getServerSettings } from './server-settings.ts'
import { organizationState, videoCallsState } from './state.ts'

const serverRoutes: Routes<typeof api.server> = { settings: getServerSettings, checkSubdomain }

/** Organizations, their rules for e-mail addresses, and the endpoint `server_settings`. */
export const organizationFeature = {
  routes: { server: serverRoutes },
  state: [organizationState, videoCallsState],
} satisfies Feature
