import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { reportError, reportNarrowTimes, reportSendTimes, reportUnnarrowTimes } from './take-reports.ts'

const reportRoutes: Routes<typeof api.reports> = {
  reportError,
  sendTimes: reportSendTimes,
  narrowTimes: reportNarrowTimes,
  unnarrowTimes: reportUnnarrowTimes,
}

/** Reports of clients about errors and response times, which are written to the operator's log. */
export const reportsFeature = {
  routes: { reports: reportRoutes },
} satisfies Feature
