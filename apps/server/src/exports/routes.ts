import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { listExports, removeExport, startExport } from './change-exports.ts'

export const dataExportRoutes: Routes<typeof api.dataExports> = {
  list: listExports,
  start: startExport,
  remove: removeExport,
}
