import type { Feature } from '../feature.ts'
import { organizationRoutes } from './routes.ts'

/** Settings that administrators change; deactivating an organization. */
export const organizationSettingsFeature = {
  routes: { organization: organizationRoutes },
} satisfies Feature
