import type { Feature } from '../feature.ts'
import { loginPages } from './login-pages.ts'
import { sessionRoutes } from './routes.ts'

/** Signing in and out in a browser, and listing and ending sessions. */
export const sessionsFeature = {
  routes: { sessions: sessionRoutes },
  pages: loginPages,
} satisfies Feature
