import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { changeSettings } from './change-settings.ts'
import { deactivateOrganization } from './deactivate-organization.ts'

const organizationRoutes: Routes<typeof api.organization> = {
  update: changeSettings,
  deactivate: deactivateOrganization,
}

/** Changing the settings of an organization, and deactivating it. */
export const organizationSettingsFeature = {
  routes: { organization: organizationRoutes },
} satisfies Feature
