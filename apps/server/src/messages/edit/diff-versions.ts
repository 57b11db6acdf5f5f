import { setImmediate } from 'node:timers/promises'
import { diffHtml } from '@oxbow/markdown'
import { LazyWorker } from '../../platform/lazy-worker.ts'

export interface Versions {
  before: string
  after: string
}

/** Below this it takes a few milliseconds at most; two long texts without a common word take a third of a second. */
const longestHere = 4_000

const thread = new LazyWorker<Versions, string>(new URL('./diff-worker.ts', import.meta.url))

/** HTML of the newer one, with what is new and what is gone marked. */
export async function diffVersions(before: string, after: string): Promise<string> {
  if (before.length + after.length > longestHere) return thread.ask({ before, after })
  // There may be many, and others have their turns.
  await setImmediate()
  return diffHtml(before, after)
}
