import { stat } from 'node:fs/promises'
import { ImportRefusal } from '../refusal.ts'
import type { Archive } from './archive.ts'
import { openFolder } from './folder-archive.ts'
import { openZip } from './zip-archive.ts'

/** Opens a ZIP file, or a folder into which one was unpacked. */
export async function openArchive(path: string): Promise<Archive> {
  const found = await stat(path).catch((error: Error) => {
    throw new ImportRefusal(`The archive cannot be read: ${error.message}`)
  })
  return found.isDirectory() ? openFolder(path) : openZip(path)
}
