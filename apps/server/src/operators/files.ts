import { fileReferences } from '../features.ts'
import type { App } from '../platform/app.ts'
import { compareFilesWithReferences, type FileCheck, withReferences } from '../platform/files/check-files.ts'
import { diskFiles } from '../platform/files/disk-files.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import { type MoveOptions, type MoveProgress, moveFiles } from '../platform/files/move-files.ts'
import { getFilesDirectory } from '../platform/files/open-file-store.ts'
import { refuseUnwritable } from '../platform/files/refuse-unwritable.ts'
import { checkBucket } from '../platform/files/s3/check-bucket.ts'
import { s3Files } from '../platform/files/s3/s3-files.ts'
import { readS3Settings } from '../platform/files/s3/s3-settings.ts'
import { OperatorError, SetupError } from '../platform/operator-error.ts'
import { countRunningNodes } from '../platform/secrets/watch-secret.ts'

export type FileStoreKind = 's3' | 'directory'

export interface StoreMove extends MoveProgress {
  /** Nodes that were running when the move ended, and may have stored further files in the old store. */
  runningNodes: number
}

/** Copies all files from the directory to the bucket, or from the bucket to the directory. */
export async function moveFileStore(
  app: App,
  destination: FileStoreKind,
  options: MoveOptions,
): Promise<StoreMove> {
  const { config } = app
  const settings = readS3Settings(config)
  if (!settings)
    throw new OperatorError(
      'No object store is set. Give this command OXBOW_S3_BUCKET, OXBOW_S3_ACCESS_KEY, OXBOW_S3_SECRET_KEY and, except for AWS, OXBOW_S3_ENDPOINT; the nodes get them after the move to s3, or lose them after the move to a directory.',
    )
  const problem = await checkBucket(settings)
  if (problem) throw new SetupError(problem)
  const path = getFilesDirectory(config)
  await refuseUnwritable(path, config.files_dir ? 'OXBOW_FILES_DIR' : 'OXBOW_DATA_DIR')
  const [bucket, directory]: FileStore[] = [s3Files(settings), diskFiles(path)] as const
  const [from, to] = destination === 's3' ? [directory, bucket] : [bucket, directory]
  const move = (more: MoveOptions = {}) =>
    moveFiles(from as FileStore, to as FileStore, { ...options, ...more })
  const progress = options.removeOld
    ? await withReferences(app, fileReferences, (isReferenced) => move({ isReferenced }))
    : await move()
  return { ...progress, runningNodes: await countRunningNodes(app.db) }
}

/** Compares the files in the store with all references to files. */
export function checkFileStore<Result>(
  app: App,
  use: (check: FileCheck) => Promise<Result>,
): Promise<Result> {
  return compareFilesWithReferences(app, fileReferences, use)
}
