import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { checkSubdomain } from './check-subdomain.ts'
import { getServerSettings } from './server-settings.ts'

export const serverRoutes: Routes<typeof api.server> = { settings: getServerSettings, checkSubdomain }
