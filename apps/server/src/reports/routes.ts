import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { reportError, reportNarrowTimes, reportSendTimes, reportUnnarrowTimes } from './take-reports.ts'

export const reportRoutes: Routes<typeof api.reports> = {
  reportError,
  sendTimes: reportSendTimes,
  narrowTimes: reportNarrowTimes,
  unnarrowTimes: reportUnnarrowTimes,
}
