import type { Feature } from '../feature.ts'
import { reportRoutes } from './routes.ts'

/** Reports of clients about errors and response times, which are written to the operator's log. */
export const reportsFeature = {
  routes: { reports: reportRoutes },
} satisfies Feature
