import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupError } from '../operator-error.ts'

/** Error codes of a full disk. The node starts nevertheless, and refuses uploads until there is space. */
const temporaryErrors = new Set(['ENOSPC', 'EDQUOT'])

/** Writes and removes a file in the upload directory. Throws a `SetupError` if that fails. */
export async function refuseUnwritable(directory: string, variable: string): Promise<void> {
  const probe = join(directory, '.unfinished', randomUUID())
  try {
    await mkdir(join(directory, '.unfinished'), { recursive: true, mode: 0o700 })
    await writeFile(probe, 'written at start', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (temporaryErrors.has(code)) return
    throw new SetupError(
      `Uploads cannot be written to ${directory}: ${message}.\n` +
        `Let the user that runs Oxbow write there, or name another directory with ${variable}.`,
    )
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}
