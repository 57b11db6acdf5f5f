import type { Feature } from '../feature.ts'
import { permissionRoutes } from './routes.ts'

/** An API that tells whether an account may do something, and why. */
export const permissionsFeature = {
  routes: { permissions: permissionRoutes },
} satisfies Feature
