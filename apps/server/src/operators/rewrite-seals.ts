import { sealedColumns } from '../features.ts'
import { job } from '../platform/jobs/jobs.ts'
import { resealColumn } from '../platform/secrets/reseal.ts'

/** Job that rewrites seals of earlier releases, which are not bound to a row. */
export const rewriteSeals = job<unknown>({
  name: 'rewrite_seals',
  schedule: '29 * * * *',
  async run(app) {
    for (const sealed of sealedColumns) {
      const { rewritten, unreadable } = await resealColumn(app, sealed)
      const about = { table: sealed.table, column: sealed.column }
      if (rewritten > 0) app.log.info({ ...about, rewritten }, 'old seals were rewritten')
      if (unreadable > 0)
        app.log.warn(
          { ...about, unreadable },
          'seals do not open: their rows were changed by hand or damaged',
        )
    }
  },
})
