import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Results of builds are kept for this long, because another test run may still use them. */
const maxAgeMs = 24 * 60 * 60 * 1000

/** Removes the entries of a folder that no run has used for a day. */
export async function removeOldEntries(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const entry = join(folder, name)
    const found = await stat(entry).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > maxAgeMs) await rm(entry, { recursive: true, force: true })
  }
}
