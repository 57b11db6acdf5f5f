import type { UploadedPicture } from '@oxbow/markdown'
import type { Db } from '../../platform/database/database.ts'
import type { Reader } from '../visibility.ts'
import { canReadUpload } from './access.ts'
import { listPictures } from './queries.ts'

/**
 * Lists the pictures at these upload paths that the writer may read and whose sizes are known. Runs
 * no query if `paths` is empty.
 */
export async function listLinkedPictures(
  db: Db,
  writer: Reader,
  paths: readonly string[],
): Promise<UploadedPicture[]> {
  if (paths.length === 0) return []
  return listPictures(db, writer.organization_id, paths, canReadUpload(writer))
}
