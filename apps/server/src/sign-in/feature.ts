import type { api } from '@oxbow/contract'
import type { StateSlice } from '../events/state-slice.ts'
import type { Feature } from '../feature.ts'
import type { Routes } from '../platform/http/bind.ts'
import { fetchGoogleClientId, listDevelopmentUsers } from './development.ts'
import { devFetchApiKey, fetchApiKey } from './fetch-api-key.ts'
import { minPasswordGuesses, minPasswordLength } from './password-strength.ts'
import { deleteOldSignInAttempts } from './sign-in-attempts.ts'

const authenticationRoutes: Routes<typeof api.authentication> = {
  fetchApiKey,
  devFetchApiKey,
  listDevelopmentUsers,
  fetchGoogleClientId,
}

const passwordState: StateSlice = {
  types: ['realm'],
  read: async () => ({ password_min_length: minPasswordLength, password_min_guesses: minPasswordGuesses }),
}

/** Signing in with a password, delays after failed attempts, and password strength. */
export const signInFeature = {
  routes: { authentication: authenticationRoutes },
  state: [passwordState],
  jobs: [deleteOldSignInAttempts],
} satisfies Feature
