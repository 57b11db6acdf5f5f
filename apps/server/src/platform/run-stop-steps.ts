import type { Log } from './log.ts'

/** A step that takes longer is logged, because the operator waits for it. */
const slowAfterMs = 5_000

/**
 * Runs the steps of a stop one after the other. The name of a step says what it waits for, such as
 * "open requests".
 */
export async function runStopSteps(
  log: Log,
  steps: Readonly<Record<string, () => unknown>>,
  slowMs = slowAfterMs,
): Promise<void> {
  for (const [name, run] of Object.entries(steps)) {
    const timer = setTimeout(
      () => log.warn({ waits_for: name }, `this node stops, but still waits for ${name}`),
      slowMs,
    )
    try {
      await run()
    } finally {
      clearTimeout(timer)
    }
  }
}
