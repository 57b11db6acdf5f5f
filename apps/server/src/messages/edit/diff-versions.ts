import { setImmediate } from 'node:timers/promises'
import { findStartedModule } from '@oxbow/assets'
import { diffHtml } from '@oxbow/markdown'
import { LazyWorker } from '../../platform/threads/lazy-worker.ts'

export interface Versions {
  before: string
  after: string
}

/**
 * Maximum total length of two texts that are compared without a worker thread, which takes a few
 * milliseconds. Two long texts without a common word take a third of a second.
 */
const maxInlineCharacters = 4_000

const thread = new LazyWorker<Versions, string>(findStartedModule('diff-worker'))

/** Returns the HTML of the newer version with additions and deletions marked. */
export async function diffVersions(before: string, after: string): Promise<string> {
  if (before.length + after.length > maxInlineCharacters) return thread.ask({ before, after })
  // A message may have many versions, so other requests get a chance to run between two
  // comparisons.
  await setImmediate()
  return diffHtml(before, after)
}
