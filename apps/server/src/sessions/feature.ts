import type { Feature } from '../feature.ts'
import { loginPages } from './login-pages.ts'
import { sessionRoutes } from './routes.ts'

/** Sign-ins of browsers: list them, end them. */
export const sessionsFeature = {
  routes: { sessions: sessionRoutes },
  pages: loginPages,
} satisfies Feature
