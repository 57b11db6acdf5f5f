import { setTimeout } from 'node:timers/promises'
import type { TestDatabase } from './databases.ts'

/** Milliseconds between two turns. */
const pauseMs = 5
/** Milliseconds that a turn counts at most. On an idle machine it takes less than half of this. */
const maxTurnMs = 20

export interface Stopwatch extends AsyncDisposable {
  /** Returns the milliseconds since the start, without the time for which the machine stood still. */
  elapsedMs(): number
}

/**
 * Starts a stopwatch for promises like "within a second". It counts time only while both this process, which
 * runs the nodes of a world, and PostgreSQL respond as fast as on an idle machine. So it does not notice a node
 * that blocks the event loop; `loop-probe.ts` measures that.
 */
export function startStopwatch({ query }: Pick<TestDatabase, 'query'>): Stopwatch {
  let elapsedMs = 0
  let isStopped = false
  const run = async () => {
    let lastTurn = performance.now()
    while (!isStopped) {
      await setTimeout(pauseMs)
      const hasResponded = await query('select').then(
        () => true,
        () => false,
      )
      const now = performance.now()
      if (hasResponded) elapsedMs += Math.min(now - lastTurn, maxTurnMs)
      lastTurn = now
    }
  }
  const running = run()
  return {
    elapsedMs: () => elapsedMs,
    async [Symbol.asyncDispose]() {
      isStopped = true
      await running
    },
  }
}
