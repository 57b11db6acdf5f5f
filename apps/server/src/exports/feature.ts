import type { Feature } from '../feature.ts'
import { archivePages } from './archive-pages.ts'
import { expireExports } from './expire-exports.ts'
import { makeArchive, removeArchive } from './make-archive.ts'
import { archiveReferences } from './queries.ts'
import { startUndoingImports } from './read/start-undoing.ts'
import { dataExportRoutes } from './routes.ts'

/** Exports and imports of organizations: the file format, writing an export and reading it. */
export const exportsFeature = {
  routes: { dataExports: dataExportRoutes },
  pages: archivePages,
  jobs: [makeArchive, removeArchive, expireExports],
  files: { required: [archiveReferences] },
  fileFolders: ['exports'],
  start: startUndoingImports,
} satisfies Feature
