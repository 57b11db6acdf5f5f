import {
  ApiError,
  type api,
  exportPeriodDays,
  maxExportedBytes,
  maxExportedMessages,
  maxExports,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import { lockOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { emitExports } from './emit-exports.ts'
import { makeArchive, removeArchive } from './make-archive.ts'
import { findExport, insertExport, listExportRows, markExportDeleted, measureForExport } from './queries.ts'
import { viewExport } from './views.ts'

type Exports = typeof api.dataExports

export async function listExports(
  { db }: App,
  { organization_id }: Actor,
): Promise<ResponseOf<Exports['list']>> {
  return { exports: (await listExportRows(db, organization_id)).map(viewExport) }
}

/** Starts an export of public data. A background job makes the archive. */
export async function startExport(app: App, actor: Actor): Promise<object> {
  const { organization_id, user_id, origin } = actor
  return writeAs(app, actor, async (tx) => {
    // Concurrent requests wait for this lock, so that together they cannot exceed the limit.
    await lockOrganization(tx, organization_id)
    const limits = { days: exportPeriodDays, maxMessages: maxExportedMessages }
    const { recent, messages, bytes } = await measureForExport(tx, organization_id, limits)
    if (recent >= maxExports) throw new ApiError('TOO_MANY_EXPORTS')
    if (messages > maxExportedMessages || bytes > maxExportedBytes) {
      const contact = app.config.mail_from ?? 'the operator of this server'
      throw new ApiError('TOO_LARGE_TO_EXPORT', { contact })
    }
    const { id } = await insertExport(tx, { organization_id, acting_user_id: user_id, origin })
    await enqueue(tx, makeArchive, { organization_id, id })
    await emitExports(tx, actor)
    return {}
  })
}

/** Deletes the archive of an export. The export itself remains in the list. */
export async function removeExport(
  app: App,
  actor: Actor,
  { export_id: id }: ParamsOf<Exports['remove']>,
): Promise<object> {
  const { organization_id } = actor
  return writeAs(app, actor, async (tx) => {
    await lockOrganization(tx, organization_id)
    const found = await findExport(tx, { organization_id, id })
    if (!found) throw new ApiError('EXPORT_NOT_FOUND')
    if (found.deleted_at) throw new ApiError('EXPORT_DELETED')
    if (found.failed_at) throw new ApiError('EXPORT_FAILED')
    if (!found.finished_at) throw new ApiError('EXPORT_PENDING')
    await markExportDeleted(tx, found)
    await enqueue(tx, removeArchive, { organization_id, id })
    await emitExports(tx, actor)
    return {}
  })
}
