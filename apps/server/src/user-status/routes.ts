import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { setStatus } from './set-status.ts'

export const userStatusRoutes: Routes<typeof api.userStatus> = { set: setStatus }
