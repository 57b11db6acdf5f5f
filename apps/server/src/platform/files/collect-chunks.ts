import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes of files that pass between two collections. */
const intervalBytes = 8_388_608

type CollectGarbage = (options: { type: 'minor' }) => void

let passedBytes = 0
let collectGarbage: CollectGarbage | undefined

/**
 * Counts a chunk of a file that passes through this process, and collects young garbage from time to
 * time. Chunks lie outside V8's heap and are garbage as soon as they were sent; by itself V8 lets 64 MB
 * and more of them gather. Collecting earlier also saves processor time, because memory is used again
 * while it is still in the caches: ten downloads of 100 MB took 0.8 instead of 1.3 seconds of it.
 */
export function countChunk(bytes: number): void {
  passedBytes += bytes
  if (passedBytes < intervalBytes) return
  passedBytes = 0
  collectGarbage ??= exposeCollector()
  collectGarbage({ type: 'minor' })
}

function exposeCollector(): CollectGarbage {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
