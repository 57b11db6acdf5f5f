import type { Feature } from '../feature.ts'
import { authenticationRoutes } from './routes.ts'
import { deleteOldSignInAttempts } from './sign-in-attempts.ts'
import { passwordState } from './state.ts'

/** Signing in with a password for an API key or a session, delays after failed attempts, password strength. */
export const signInFeature = {
  routes: { authentication: authenticationRoutes },
  state: [passwordState],
  jobs: [deleteOldSignInAttempts],
} satisfies Feature
