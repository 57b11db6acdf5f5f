import { onOrphaned } from '../bin/on-orphaned.js'

/** Read at start, because the parent may end while the node starts. */
const parentPid = process.ppid

/**
 * Stops gracefully on the first signal, and immediately on the second one or 30 seconds after the
 * drain time. Ctrl-C skips draining, because a person is waiting.
 */
export function stopOnSignals(drainMs: number, stop: (drainMs: number) => Promise<void>): void {
  let stopping = false
  const onSignal = (drainMs: number) => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), drainMs + 30_000).unref()
    stop(drainMs).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGINT', () => onSignal(0))
  process.on('SIGTERM', () => onSignal(drainMs))
  onOrphaned(parentPid, () => onSignal(drainMs))
}
