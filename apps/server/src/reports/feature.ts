import type { Feature } from '../feature.ts'
import { reportRoutes } from './routes.ts'

/** Reports of clients about errors and times, for the operator's log. */
export const reportsFeature = {
  routes: { reports: reportRoutes },
} satisfies Feature
