import type { Feature } from '../feature.ts'
import { deviceRoutes } from './routes.ts'

/** Registered push devices. */
export const devicesFeature = {
  routes: { devices: deviceRoutes },
} satisfies Feature
