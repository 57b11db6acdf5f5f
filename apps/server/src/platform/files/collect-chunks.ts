import { collectGarbage } from '../collect-garbage.ts'

/** Garbage is collected after this many bytes of files. */
const intervalBytes = 8_388_608

let passedBytes = 0

/**
 * Counts a chunk of a file that passes through this process, and collects young garbage from time to time.
 * Chunks are outside V8's heap and become garbage as soon as they are sent. V8 alone would let 64 MB and more
 * of them accumulate. Collecting earlier also saves processor time, because memory is reused while it is
 * still in the processor's caches: ten downloads of 100 MB took 0.8 instead of 1.3 seconds of processor time.
 */
export function countChunk(bytes: number): void {
  passedBytes += bytes
  if (passedBytes < intervalBytes) return
  passedBytes = 0
  collectGarbage({ type: 'minor' })
}
