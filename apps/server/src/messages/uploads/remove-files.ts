import type { OrganizationId } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { allowPause, type Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { maxStoringSeconds } from '../../platform/files/file-store.ts'
import { maxStreamedMs } from '../../platform/http/connections.ts'
import { type Job, job } from '../../platform/jobs/jobs.ts'
import { settleEach } from '../../platform/settle-each.ts'
import { isUnused, removeUploadFiles, removeUploads } from '../attachments/remove-uploads.ts'
import { thumbnailKeys, uploadKey } from './names.ts'
import {
  deleteUnfinishedUpload,
  listAbandonedUploads,
  listOrganizationsWithExpiredUploads,
  lockExpiredUploads,
} from './queries.ts'

/**
 * Job that removes the files and thumbnails of deleted uploads. Failures are retried for days, so
 * that no file is left behind after an outage.
 */
export const removeUploadFilesJob: Job<{ paths: string[] }> = job({
  ...removeUploadFiles,
  async run({ files }, { paths }) {
    for (const path of paths)
      for (const key of [uploadKey(path), ...thumbnailKeys(path)]) await files.remove(key)
  },
})

/** Days after which an upload without references is removed. */
const unclaimedDays = 7

/** Uploads removed per transaction. */
const batchSize = 500

/** Job that removes uploads that nothing has referred to for a week. */
export const expireUploads = job<unknown>({
  name: 'expire_uploads',
  schedule: '47 * * * *',
  async run({ db }) {
    const organizations = await listOrganizationsWithExpiredUploads(db, unclaimedDays)
    await settleEach('organizations', organizations, async (id) => {
      while ((await inTransaction(db, (tx) => expireBatch(tx, id))) === batchSize);
    })
  },
})

async function expireBatch(tx: Tx, organization_id: OrganizationId): Promise<number> {
  const expired = await lockExpiredUploads(tx, organization_id, unclaimedDays, batchSize, isUnused)
  // The condition is checked again, because a reference may have been added before the upload was
  // locked.
  return (await removeUploads(tx, organization_id, expired, isUnused)).length
}

/** Hours after which an upload can no longer be running. */
const abandonedHours = (2 * maxStreamedMs) / 3_600_000

/** Job that removes the files of uploads whose node died before it committed the upload's row. */
export const removeAbandonedUploads = job<unknown>({
  name: 'remove_abandoned_uploads',
  schedule: '7 * * * *',
  async run({ db, files }) {
    const paths = await listAbandonedUploads(db, abandonedHours)
    await settleEach('abandoned uploads', paths, (path_id) => removeUnfinishedUpload({ db, files }, path_id))
  },
})

/**
 * Removes a file unless the row of its upload was committed. That commit also deletes the row in
 * `unfinished_upload`, so this function waits for a running commit, and keeps the file even if the
 * response of the upload was lost.
 */
export async function removeUnfinishedUpload(
  { db, files }: Pick<App, 'db' | 'files'>,
  path_id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deleteUnfinishedUpload(tx, path_id))) return
    await allowPause(tx, maxStoringSeconds)
    await files.remove(uploadKey(path_id))
  })
}
