import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { archivePages } from './archive-pages.ts'
import { listExports, removeExport, startExport } from './change-exports.ts'
import { expireExports } from './expire-exports.ts'
import { makeArchive, removeArchive } from './make-archive.ts'
import { archiveReferences } from './queries.ts'
import { startUndoingImports } from './read/start-undoing.ts'

const dataExportRoutes: Routes<typeof api.dataExports> = {
  list: listExports,
  start: startExport,
  remove: removeExport,
}

/** Exports and imports of organizations: the file format, writing an export and reading it. */
export const exportsFeature = {
  routes: { dataExports: dataExportRoutes },
  pages: archivePages,
  jobs: [makeArchive, removeArchive, expireExports],
  files: { required: [archiveReferences] },
  fileFolders: ['exports'],
  start: startUndoingImports,
} satisfies Feature
