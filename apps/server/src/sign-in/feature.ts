import type { Feature } from '../feature.ts'
import { authenticationRoutes } from './routes.ts'
import { deleteOldSignInAttempts } from './sign-in-attempts.ts'
import { passwordState } from './state.ts'

/** Passwords: API key or session for one, delays after failed attempts, password strength. */
export const signInFeature = {
  routes: { authentication: authenticationRoutes },
  state: [passwordState],
  jobs: [deleteOldSignInAttempts],
} satisfies Feature
