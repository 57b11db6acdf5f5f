import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { fetchGoogleClientId, listDevelopmentUsers } from './development.ts'
import { devFetchApiKey, fetchApiKey } from './fetch-api-key.ts'

export const authenticationRoutes: Routes<typeof api.authentication> = {
  fetchApiKey,
  devFetchApiKey,
  listDevelopmentUsers,
  fetchGoogleClientId,
}
