import type { OrganizationId, UploadId } from '@oxbow/contract'
import { type RawBuilder, sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import { enqueue, type JobName } from '../../platform/jobs/jobs.ts'
import { attachmentRemoved } from './events.ts'
import { deleteUploads, getUsedSpace, type OwnedUpload } from './queries.ts'

/** Job that removes the files of uploads whose rows were deleted. */
export const removeUploadFiles: JobName<{ paths: string[] }> = { name: 'remove_upload_files' }

/**
 * SQL condition on a row `u` of upload: no message, and no draft or scheduled message of its owner,
 * refers to the upload.
 */
export const isUnused: RawBuilder<boolean> = sql<boolean>`(not exists (
  select from upload_claim c where c.organization_id = u.organization_id and c.upload_id = u.id)
  and not exists (
    select from upload_hold h where h.organization_id = u.organization_id and h.upload_id = u.id))`

/**
 * Deletes the uploads with these ids that meet the condition on `u`, notifies their owners, and
 * queues a job that removes their files. Returns the deleted uploads. If the condition reads other
 * tables, an earlier statement must have locked the uploads, so that the condition sees the current
 * rows of those tables.
 */
export async function removeUploads(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly UploadId[],
  condition: RawBuilder<boolean>,
): Promise<OwnedUpload[]> {
  const removed = await deleteUploads(tx, organization_id, ids, condition)
  if (removed.length === 0) return []
  const { bytes: used } = await getUsedSpace(tx, organization_id)
  for (const upload of removed)
    if (!upload.is_hidden_from_owner) emit(tx, attachmentRemoved(organization_id, upload, used))
  await enqueue(tx, removeUploadFiles, { paths: removed.map(({ path_id }) => path_id) })
  return removed
}
