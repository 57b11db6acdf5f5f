import { ApiError, type UploadId } from '@oxbow/contract'
import type { Reader } from '../messages/visibility.ts'
import type { Db } from '../platform/database/database.ts'
import { findUpload, type SeenUpload } from './queries.ts'

/**
 * Loads an upload whose file the reader may read. A path cannot be guessed, so the error may tell
 * that a file exists; one of another organization does not exist for the reader.
 */
export async function accessUpload(
  db: Db,
  reader: Reader,
  which: { path_id: string } | { id: UploadId },
): Promise<SeenUpload> {
  // PostgreSQL refuses NUL characters in parameters, and no path contains one.
  const isPossible = 'id' in which || !which.path_id.includes('\0')
  const upload = isPossible ? await findUpload(db, reader, which) : undefined
  if (!upload) throw new ApiError('UPLOAD_NOT_FOUND')
  if (!upload.can_read) throw new ApiError('UPLOAD_FORBIDDEN')
  return upload
}
