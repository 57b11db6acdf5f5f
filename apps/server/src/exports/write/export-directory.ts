import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { isRunning } from '../../platform/backup/target-file.ts'
import { OperatorError } from '../../platform/operator-error.ts'

export interface ExportDirectory {
  /** The temporary directory to write to. */
  draft: string
  /** Gives the complete directory its final name. */
  commit(): Promise<void>
  /** Removes the unfinished directory. */
  remove(): void
}

/**
 * Creates a temporary directory for an export, which is renamed when the export is complete.
 * Removes temporary directories of killed processes. Throws if the final name is taken.
 */
export async function openExportDirectory(target: string): Promise<ExportDirectory> {
  const path = resolve(target)
  refuseExisting(path)
  const draft = `${path}.${process.pid}.partial`
  const remove = () => rmSync(draft, { recursive: true, force: true })
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    removeAbandoned(path)
    await mkdir(draft, { mode: 0o700 })
  } catch (error) {
    throw new OperatorError(`The export cannot be written to ${path}: ${(error as Error).message}`)
  }
  return {
    draft,
    async commit() {
      refuseExisting(path)
      await rename(draft, path)
      await using parent = await open(dirname(path), 'r')
      await parent.sync()
    },
    remove,
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new OperatorError(`${path} exists already. Name another directory.`)
}

/** Removes the temporary directories of killed processes that wrote to the same path. */
function removeAbandoned(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    const [, directory, pid] = /^(.+)\.(\d+)\.partial$/.exec(name) ?? []
    if (directory === basename(path) && !isRunning(Number(pid)))
      rmSync(join(dirname(path), name), { recursive: true, force: true })
  }
}
