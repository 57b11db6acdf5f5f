import { exportLifetimeDays, type OrganizationId } from '@oxbow/contract'
import { lockOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { enqueueAll, job } from '../../platform/jobs/jobs.ts'
import { settleEach } from '../../platform/settle-each.ts'
import { emitExports } from './emit-exports.ts'
import { removeArchive } from './make-archive.ts'
import { listOrganizationsWithExpiredExports, markExpiredExports } from './queries.ts'

/**
 * Job that deletes archives after a week, as if an administrator deleted them: the export remains
 * in the list with the time of its deletion. Archives expire because they contain copies of
 * messages and people that may have been deleted since.
 */
export const expireExports = job<unknown>({
  name: 'expire_exports',
  schedule: '53 * * * *',
  async run(app) {
    const organizations = await listOrganizationsWithExpiredExports(app.db, exportLifetimeDays)
    await settleEach('organizations', organizations, (id) => expireExportsOf(app, id))
  },
})

async function expireExportsOf({ db }: App, organization_id: OrganizationId): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockRoles(tx, organization_id, 'shared')
    // An administrator may be deleting one of these exports at the same time.
    await lockOrganization(tx, organization_id)
    const expired = await markExpiredExports(tx, organization_id, exportLifetimeDays)
    await enqueueAll(
      tx,
      removeArchive,
      expired.map(({ id }) => ({ organization_id, id })),
    )
    for (const user_id of new Set(expired.map(({ acting_user_id }) => acting_user_id)))
      await emitExports(tx, { organization_id, user_id })
  })
}
