import type { App } from '../../../platform/app.ts'
import { undoInterruptedImports } from './unfinished-imports.ts'

/** Removes the files of interrupted imports, once, when a node starts. */
export function startUndoingImports(app: App): { stop(): Promise<void> } {
  const done = undoInterruptedImports(app).catch((err: unknown) =>
    app.log.warn({ err }, 'files of an interrupted import could not be removed; the next start tries again'),
  )
  return { stop: () => done }
}
