import type { OrganizationId } from '@oxbow/contract'
import type { FileStore } from '../../platform/files/file-store.ts'

/** Files removed concurrently, because an object store takes some milliseconds for each request. */
const batchSize = 16

/** Removes all files of an organization. Yields the number of removed files after each batch. */
export async function* removeFiles(
  files: FileStore,
  folders: readonly string[],
  id: OrganizationId,
): AsyncGenerator<number> {
  let batch: string[] = []
  const removeBatch = async () => {
    const keys = batch
    batch = []
    await Promise.all(keys.map((key) => files.remove(key)))
    return keys.length
  }
  for (const folder of folders) {
    for await (const { key } of files.list(`${folder}/${id}/`)) {
      batch.push(key)
      if (batch.length === batchSize) yield await removeBatch()
    }
  }
  if (batch.length > 0) yield await removeBatch()
}
