import type { Feature } from '../feature.ts'
import { organizationRoutes } from './routes.ts'

/** Changing the settings of an organization, and deactivating it. */
export const organizationSettingsFeature = {
  routes: { organization: organizationRoutes },
} satisfies Feature
