import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Everything that checks keep between runs. Removing the folder makes the next run check everything. */
export const keptFolder = '.cache/checks'

/**
 * Results of earlier checks, in a file of `keptFolder`. Keys are made of the checked contents and of
 * everything else that a result depends on (`keyOf`), never of times, so they stay right after a
 * change of branch.
 */
export class KeptResults<Result> {
  readonly #path: string
  readonly #maxEntries: number
  /** The entry that was used last is the last one. */
  readonly #results: Map<string, Result>

  constructor(name: string, { maxEntries, folder = keptFolder }: { maxEntries: number; folder?: string }) {
    this.#path = join(folder, `${name}.json`)
    this.#maxEntries = maxEntries
    this.#results = new Map(readEntries(this.#path) as [string, Result][])
  }

  find(key: string): Result | undefined {
    const found = this.#results.get(key)
    if (found !== undefined) this.set(key, found)
    return found
  }

  /** Returns the kept result, or calls `work` and keeps what it returns. */
  compute(key: string, work: () => Result): Result {
    const result = this.find(key) ?? work()
    this.set(key, result)
    return result
  }

  set(key: string, result: Result): void {
    this.#results.delete(key)
    this.#results.set(key, result)
  }

  /** Writes the file. It keeps the `maxEntries` entries that were used last. */
  save(): void {
    const entries = [...this.#results].slice(-this.#maxEntries)
    // A check that runs at the same time reads either the old file or the new one.
    const unfinished = `${this.#path}.${process.pid}`
    mkdirSync(join(this.#path, '..'), { recursive: true })
    writeFileSync(unfinished, JSON.stringify(entries))
    renameSync(unfinished, this.#path)
  }
}

function readEntries(path: string): unknown[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown[]
  } catch {
    return []
  }
}

/** Returns a key for these parts, each of which matters with its length. */
export function keyOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 24)
}
