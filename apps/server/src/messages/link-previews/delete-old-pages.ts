import { job } from '../../platform/jobs/jobs.ts'
import { deleteOldPages } from './pages.ts'

/** Job that deletes pages that were fetched for previews and are no longer used. */
export const deleteOldLinkPages = job<unknown>({
  name: 'delete_old_link_pages',
  schedule: '41 * * * *',
  run: ({ db }) => deleteOldPages(db),
})
