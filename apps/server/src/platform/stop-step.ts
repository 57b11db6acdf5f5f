import type { Log } from './observe/log.ts'

/** A step that takes longer is logged, because the operator waits for it. */
const slowAfterMs = 5_000

/** Returns a step of a stop. Its name says what the stop waits for, such as "open requests". */
export function stopStep(
  log: Log,
  name: string,
  stop: () => unknown,
  slowMs = slowAfterMs,
): () => Promise<void> {
  return async () => {
    const timer = setTimeout(
      () => log.warn({ waits_for: name }, `this node stops, but still waits for ${name}`),
      slowMs,
    )
    try {
      await stop()
    } finally {
      clearTimeout(timer)
    }
  }
}
