import type { Feature } from '../../feature.ts'
import { job } from '../../platform/jobs/jobs.ts'
import { ownExportPages } from './export-page.ts'
import { deleteOldExports } from './queries.ts'

/** Downloading one's own data. */
export const ownDataFeature = {
  pages: ownExportPages,
  jobs: [
    job<unknown>({
      name: 'forget_old_own_exports',
      schedule: '37 * * * *',
      run: ({ db }) => deleteOldExports(db),
    }),
  ],
} satisfies Feature
