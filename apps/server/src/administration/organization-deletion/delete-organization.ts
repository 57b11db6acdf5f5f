import { setTimeout } from 'node:timers/promises'
import type { OrganizationId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { leaseMs } from '../../events/log/event-log.ts'
import { lockOrganization, updateOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { isForeignKeyViolation } from '../../platform/database/constraint.ts'
import type { Db } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { organizationDeactivated } from '../organization-settings/events.ts'
import {
  closeAccounts,
  deleteJobs,
  deleteOrganizationRow,
  deleteOwnedRows,
  listOwnedTables,
} from './queries.ts'
import { removeFiles } from './remove-files.ts'

/** Rows deleted or changed per transaction. */
const batchSize = 2_000
/**
 * Maximum number of attempts to delete the organization's row. Requests that began before the
 * deletion may add other rows until then.
 */
const maxAttempts = 5

export interface DeletionCounts {
  rows: number
  files: number
}

export interface DeletionOptions {
  /** Folders of the file store whose subfolders are organization ids. */
  folders: readonly string[]
  /** Called after each step with a description of what is being deleted. */
  onProgress?: ((step: string, counts: DeletionCounts) => void) | undefined
}

/**
 * Deletes an organization with all of its rows and files. The first transaction makes it
 * permanently unusable; the rest is deleted in small steps, and the organization's row last. If the
 * process is killed, another call continues.
 */
export async function deleteOrganization(
  app: App,
  organization: OrganizationRow,
  { folders, onProgress }: DeletionOptions,
): Promise<DeletionCounts> {
  const { id } = organization
  const counts: DeletionCounts = { rows: 0, files: 0 }
  const report = (step: string) => onProgress?.(step, counts)
  const beganAt = await beginDeletion(app.db, id)
  report('the organization is closed')
  // Nodes may use cached accounts until their leases expire.
  await setTimeout(Math.max(0, beganAt.getTime() + 2 * leaseMs - Date.now()))
  while ((await closeAccounts(app.db, id, batchSize)) > 0) report('accounts')
  await waitForWriters(app.db, id)
  await deleteJobs(app.db, organization)
  for await (const removed of removeFiles(app.files, folders, id)) {
    counts.files += removed
    report('files')
  }
  const deleteRows = async () => {
    for await (const { table, deleted } of deleteAllRows(app.db, id)) {
      counts.rows += deleted
      report(table)
    }
  }
  await deleteRows()
  for (let attempt = 1; ; attempt++) {
    try {
      await inTransaction(app.db, (tx) => deleteOrganizationRow(tx, id))
      return counts
    } catch (error) {
      if (attempt >= maxAttempts || !isForeignKeyViolation(error)) throw error
      await deleteRows()
    }
  }
}

/**
 * Closes the organization: nodes end its queues and refuse all requests, and it can never be
 * reactivated. Returns the time of the closing.
 */
async function beginDeletion(db: Db, id: OrganizationId): Promise<Date> {
  return inTransaction(db, async (tx) => {
    await lockRoles(tx, id, 'exclusive')
    const { deactivated_at, deletion_began_at } = await lockOrganization(tx, id)
    if (deletion_began_at) return deletion_began_at
    const now = new Date()
    await updateOrganization(tx, id, { deletion_began_at: now, deactivated_at: deactivated_at ?? now })
    if (!deactivated_at) emit(tx, organizationDeactivated(id))
    return now
  })
}

/** Waits until every write transaction that began while its account was active has ended. */
async function waitForWriters(db: Db, id: OrganizationId): Promise<void> {
  await inTransaction(db, (tx) => lockRoles(tx, id, 'exclusive'))
}

/**
 * Deletes the rows of all tables except `organization`. Yields the number of rows deleted in each
 * step.
 */
export async function* deleteAllRows(
  db: Db,
  id: OrganizationId,
): AsyncGenerator<{ table: string; deleted: number }> {
  for (const table of await listOwnedTables(db)) {
    for (;;) {
      const deleted = await inTransaction(db, (tx) => deleteOwnedRows(tx, table, id, batchSize))
      if (deleted > 0) yield { table, deleted }
      if (deleted < batchSize) break
    }
  }
}
