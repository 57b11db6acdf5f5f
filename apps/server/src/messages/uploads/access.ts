import { ApiError, type UploadId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { type AccessibleUpload, findUpload } from './queries.ts'

/**
 * Loads an upload that the reader may read. The error may reveal that a file exists, because paths
 * cannot be guessed. Files of other organizations are treated as missing.
 */
export async function accessUpload(
  db: Db,
  reader: Reader,
  which: { path_id: string } | { id: UploadId },
): Promise<AccessibleUpload> {
  // PostgreSQL does not accept NUL characters in parameters, and no path contains one.
  const isPossible = 'id' in which || !which.path_id.includes('\0')
  const upload = isPossible ? await findUpload(db, reader, which) : undefined
  if (!upload) throw new ApiError('UPLOAD_NOT_FOUND')
  if (!upload.can_read) throw new ApiError('UPLOAD_FORBIDDEN')
  return upload
}
