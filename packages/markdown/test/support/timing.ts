/** Maximum milliseconds for a text of 10,000 bytes. */
export const maxMs = 50

const maxRuns = 10

/**
 * Returns the thread's CPU time in milliseconds, the best of a few runs. Runs are repeated because
 * other programs on the machine can slow a run by evicting its caches.
 */
export function timeOf(work: () => void): number {
  let best = Infinity
  for (let run = 0; run < maxRuns && best >= maxMs / 4; run++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
