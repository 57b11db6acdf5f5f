import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { changeSettings } from './change-settings.ts'
import { deactivateOrganization } from './deactivate-organization.ts'

export const organizationRoutes: Routes<typeof api.organization> = {
  update: changeSettings,
  deactivate: deactivateOrganization,
}
