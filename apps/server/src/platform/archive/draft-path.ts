import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A file or directory that gets its final name when it is complete. The caller creates it. */
export interface Draft {
  path: string
  /** Call it when the draft was renamed or removed. */
  end(): void
}

/** A process touches its draft this often, so that no other process takes it for an abandoned one. */
const touchEveryMs = 30_000
const abandonedAfterMs = 15 * 60_000

/**
 * Chooses a draft for `target`, beside it, and keeps it from being removed until it ends. Creates the directory if it
 * is missing, and removes the drafts of killed processes for this target and for those whose names match `alike`.
 */
export function beginDraft(target: string, alike?: RegExp): Draft {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  removeAbandonedDrafts(target, alike)
  const path = `${target}.${randomBytes(8).toString('hex')}.partial`
  const touching = setInterval(() => {
    const now = new Date()
    // The draft may not exist yet, or no longer.
    utimes(path, now, now).catch(() => {})
  }, touchEveryMs)
  touching.unref()
  return { path, end: () => clearInterval(touching) }
}

/**
 * Drafts have no process ids in their names: in containers that share a directory, several processes have the same id,
 * and each knows only those of its own container.
 */
function removeAbandonedDrafts(target: string, alike: RegExp | undefined): void {
  for (const name of readdirSync(dirname(target))) {
    const [, file = ''] = /^(.+)\.[0-9a-f]+\.partial$/.exec(name) ?? []
    const isOurs = file === basename(target) || alike?.test(file)
    const path = join(dirname(target), name)
    if (isOurs && isAbandoned(path)) rmSync(path, { recursive: true, force: true })
  }
}

function isAbandoned(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > abandonedAfterMs
}
