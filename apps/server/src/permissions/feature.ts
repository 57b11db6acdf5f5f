import type { Feature } from '../feature.ts'
import { permissionRoutes } from './routes.ts'

/** An API that explains whether and why an account may do something. */
export const permissionsFeature = {
  routes: { permissions: permissionRoutes },
} satisfies Feature
