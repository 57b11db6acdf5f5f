import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { explainPermission } from './explain.ts'

export const permissionRoutes: Routes<typeof api.permissions> = { explain: explainPermission }
