/** Milliseconds that a text of 10,000 bytes may take. */
export const slowestAllowed = 50

/** The best of a few runs: another program on the machine can make one slow, not all. */
export function timeOf(work: () => void): number {
  let best = Infinity
  for (let run = 0; run < 5; run++) {
    const start = performance.now()
    work()
    best = Math.min(best, performance.now() - start)
    if (best < slowestAllowed / 4) break
  }
  return best
}
