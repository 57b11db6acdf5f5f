import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { explainPermission } from './explain.ts'

const permissionRoutes: Routes<typeof api.permissions> = { explain: explainPermission }

/** An API that explains whether and why an account may do something. */
export const permissionsFeature = {
  routes: { permissions: permissionRoutes },
} satisfies Feature
