import { join } from 'node:path'
import type { Config } from '../config/settings.ts'
import { diskFiles } from './disk-files.ts'
import type { FileStore } from './file-store.ts'
import { refuseUnwritable } from './refuse-unwritable.ts'
import { checkBucket } from './s3/check-bucket.ts'
import { s3Files } from './s3/s3-files.ts'
import { readS3Settings } from './s3/s3-settings.ts'

/** Opens the configured file store: a bucket if one is configured, otherwise a directory. */
export function openFileStore(config: Config): FileStore {
  const bucket = readS3Settings(config)
  return bucket ? s3Files(bucket, { redirect: config.files_redirect }) : diskFiles(getFilesDirectory(config))
}

export function getFilesDirectory({ files_dir, data_dir }: Config): string {
  return files_dir ?? join(data_dir, 'files')
}

/**
 * Writes and removes a file. Throws a `SetupError` if the settings must be changed. Returns a warning if the
 * object store does not work at the moment: the node can start anyway, as with a full disk.
 */
export async function tryFileStore(config: Config): Promise<string | undefined> {
  const bucket = readS3Settings(config)
  if (bucket) {
    const problem = await checkBucket(bucket)
    return problem && `${problem} Until this is fixed, uploads and downloads are refused with 503.`
  }
  const variable = config.files_dir ? 'OXBOW_FILES_DIR' : 'OXBOW_DATA_DIR'
  await refuseUnwritable(getFilesDirectory(config), variable)
}
