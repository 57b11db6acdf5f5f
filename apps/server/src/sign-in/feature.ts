import type { Feature } from '../feature.ts'
import { authenticationRoutes } from './routes.ts'
import { deleteOldSignInAttempts } from './sign-in-attempts.ts'
import { passwordState } from './state.ts'

/** Signing in with a password, delays after failed attempts, and password strength. */
export const signInFeature = {
  routes: { authentication: authenticationRoutes },
  state: [passwordState],
  jobs: [deleteOldSignInAttempts],
} satisfies Feature
