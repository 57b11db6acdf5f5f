import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { type Job, job } from '../../platform/jobs/jobs.ts'
import { settleEach } from '../../platform/settle-each.ts'
import { deleteDeletionRecord, listPastDeletions, type PastDeletion } from './queries.ts'
import { removeFiles } from './remove-files.ts'

/**
 * Hours after which no request that began before the deletion can still be running, and no node
 * follows the organization's log.
 */
const settledHours = 48

/**
 * Makes the job that deletes rows and files which were written by requests that ran during a
 * deletion, such as a slow upload. After two days it also deletes the record of the deletion.
 */
export function finishDeletions(folders: readonly string[]): Job<unknown> {
  return job({
    name: 'finish_organization_deletions',
    schedule: '13 * * * *',
    async run(app) {
      const deletions = await listPastDeletions(app.db, settledHours)
      await settleEach('deleted organizations', deletions, (deletion) =>
        finishDeletion(app, folders, deletion),
      )
    },
  })
}

async function finishDeletion(
  { db, files }: App,
  folders: readonly string[],
  { organization_id, is_over }: PastDeletion,
): Promise<void> {
  const { deleteAllRows } = await import('./delete-organization.ts')
  for await (const _ of removeFiles(files, folders, organization_id));
  for await (const _ of deleteAllRows(db, organization_id));
  if (is_over) await inTransaction(db, (tx) => deleteDeletionRecord(tx, organization_id))
}
