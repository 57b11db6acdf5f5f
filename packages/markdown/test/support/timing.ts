/** Milliseconds that a text of 10,000 bytes may take. */
export const slowestAllowed = 50

const maxRuns = 10

/**
 * Milliseconds of this thread's own time, the best of a few runs. Other programs on the machine can
 * take the processor away or cool its caches; neither says anything of the text.
 */
export function timeOf(work: () => void): number {
  let best = Infinity
  for (let run = 0; run < maxRuns && best >= slowestAllowed / 4; run++) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
