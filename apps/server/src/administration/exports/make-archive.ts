import type { App } from '../../platform/app.ts'
import { openSession } from '../../platform/archive/open-session.ts'
import { lockKey } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { job, longJobs } from '../../platform/jobs/jobs.ts'
import { emitExports } from './emit-exports.ts'
import { archiveKey, type ExportKey, findExport, settleExport } from './queries.ts'

/** Job that removes the archive of a deleted export. */
export const removeArchive = job<ExportKey>({
  name: 'remove_export_archive',
  async run({ files }, key) {
    await files.remove(archiveKey(key))
  },
})

/**
 * Job that makes the archive of an export, a compressed tar file of public data. If its node is
 * killed, the job starts over on another node. An export that fails is recorded as failed and not
 * retried.
 */
export const makeArchive = job<ExportKey>({
  name: 'make_export_archive',
  queue: longJobs,
  async run(app, key) {
    await using session = await openSession(app.config.database_url, 'oxbow export')
    // If the job runs on two nodes, the second one waits here until the first one has finished.
    await session.client.query('select pg_advisory_lock($1)', [lockKey('dataExport', key.id)])
    const row = await findExport(app.db, key)
    if (!row || row.finished_at || row.failed_at) return
    try {
      // Imported lazily: exports are rare, and the code of the format takes memory.
      const { writeArchive } = await import('./write/write-archive.ts')
      await settle(app, key, { size: await writeArchive(app, session.client, row) })
    } catch (err) {
      app.log.error({ err, ...key }, 'an export of an organization failed')
      await settle(app, key, 'failed')
      await app.files.remove(archiveKey(key))
    }
  },
})

async function settle(app: App, key: ExportKey, outcome: { size: number } | 'failed'): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const row = await settleExport(tx, key, outcome)
    if (row) await emitExports(tx, { ...key, user_id: row.acting_user_id })
  })
}
