import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SetupError } from '../operator-error.ts'

/** A full disk is for later: the node starts, refuses uploads and takes them again once there is room. */
const passing = new Set(['ENOSPC', 'EDQUOT'])

/** Writes and removes a file where uploads are kept, so that the first upload is not the one to find out. */
export async function refuseUnwritable(directory: string, variable: string): Promise<void> {
  const probe = join(directory, '.unfinished', randomUUID())
  try {
    await mkdir(join(directory, '.unfinished'), { recursive: true, mode: 0o700 })
    await writeFile(probe, 'written at start', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (passing.has(code)) return
    throw new SetupError(
      `Uploads cannot be written to ${directory}: ${message}.\n` +
        `Let the user that runs Oxbow write there, or name another directory with ${variable}.`,
    )
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}
