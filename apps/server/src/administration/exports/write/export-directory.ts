import { existsSync, rmSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { beginDraft } from '../../../platform/archive/draft-path.ts'
import { OperatorError } from '../../../platform/operator-error.ts'

export interface DraftDirectory {
  /** The directory to write to. */
  draft: string
  /** Removes it with everything in it. */
  remove(): void
  /** Call it when the directory got its final name. */
  end(): void
}

export interface ExportDirectory extends DraftDirectory {
  /** Gives the complete directory its final name. */
  commit(): Promise<void>
}

/**
 * Creates a temporary directory for an export, which is renamed when the export is complete.
 * Removes temporary directories of killed processes. Throws if the final name is taken.
 */
export async function openExportDirectory(target: string): Promise<ExportDirectory> {
  const path = resolve(target)
  refuseExisting(path)
  const { draft, end, remove } = await openDraftDirectory(path).catch((error: Error) => {
    throw new OperatorError(`The export cannot be written to ${path}: ${error.message}`)
  })
  return {
    draft,
    async commit() {
      refuseExisting(path)
      await rename(draft, path)
      end()
      await using parent = await open(dirname(path), 'r')
      await parent.sync()
    },
    end,
    remove,
  }
}

/**
 * Creates a directory whose name begins with the target. Removes those of killed processes with the same target. Throws the error of the file system if it cannot be created.
 */
export async function openDraftDirectory(target: string): Promise<DraftDirectory> {
  const path = resolve(target)
  const draft = beginDraft(path)
  const remove = () => {
    draft.end()
    rmSync(draft.path, { recursive: true, force: true })
  }
  await mkdir(draft.path, { mode: 0o700 }).catch((error: unknown) => {
    draft.end()
    throw error
  })
  return { draft: draft.path, end: draft.end, remove }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw new OperatorError(`${path} exists already. Name another directory.`)
}
