import type { App } from '../platform/app.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { type Job, job } from '../platform/jobs.ts'
import { settleEach } from '../platform/settle-each.ts'
import { forgetDeletion, listPastDeletions, type PastDeletion } from './queries.ts'
import { removeFiles } from './remove-files.ts'

/** Hours after which no request that began before a deletion can still run, and no node follows its log. */
const settledHours = 48

/**
 * Makes the job that removes what requests wrote that were running while their organization was deleted: an
 * upload whose file arrives for hours, or an event. After two days it forgets the organization's id.
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
  if (is_over) await inTransaction(db, (tx) => forgetDeletion(tx, organization_id))
}
