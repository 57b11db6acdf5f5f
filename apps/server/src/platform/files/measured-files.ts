import type { Metrics } from '../observe/metrics.ts'
import { type Tracing, traced } from '../observe/tracing/tracing.ts'
import type { FileStore } from './file-store.ts'
import { explainStorageRefusal } from './storage-refusal.ts'

export interface MeasuredFiles extends FileStore {
  /** Whether the last operation failed because the disk or the object store cannot be used. */
  readonly isFailing: boolean
}

/**
 * Counts the files that a node stores, and the operations that fail because of the disk or the object store.
 * Traces the operations as parts of requests and jobs.
 */
export function measureFiles(files: FileStore, metrics: Metrics, tracing?: Tracing): MeasuredFiles {
  let isFailing = false
  const watch = async <Result>(
    operation: 'put' | 'get' | 'stat' | 'remove',
    run: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      const result = await traced(
        tracing,
        { name: `file ${operation}`, kind: 'client', needsParent: true },
        run,
      )
      isFailing = false
      return result
    } catch (error) {
      if (explainStorageRefusal(error) !== undefined) {
        isFailing = true
        metrics.fileFailures.inc({ operation })
      }
      throw error
    }
  }
  return {
    get isFailing() {
      return isFailing
    },
    async put(key, content) {
      const stored = await watch('put', () => files.put(key, content))
      metrics.storedFiles.inc()
      metrics.storedBytes.inc(stored.size)
      return stored
    },
    get: (key, range) => watch('get', () => files.get(key, range)),
    stat: (key) => watch('stat', () => files.stat(key)),
    remove: (key) => watch('remove', () => files.remove(key)),
    list: (prefix) => files.list(prefix),
    presign: (key, options) => files.presign(key, options),
    tidy: () => files.tidy(),
  }
}
