import type { TestDatabase } from './databases.ts'
import { startStopwatch } from './stopwatch.ts'

const maxAttempts = 5

/**
 * Runs a test that must keep ahead of a deadline of the server, such as the expiry of an unused queue. If the test
 * fails and the machine stood still for more than `maxLostMs` in total, the test runs again, up to five times.
 * Each attempt must create new objects, because a failed attempt leaves its objects in any state.
 */
export async function repeatIfSlowed<Result>(
  database: Pick<TestDatabase, 'query'>,
  maxLostMs: number,
  attempt: (number: number) => Promise<Result>,
): Promise<Result> {
  for (let number = 1; ; number++) {
    await using stopwatch = startStopwatch(database)
    const started = performance.now()
    try {
      return await attempt(number)
    } catch (error) {
      const lostMs = performance.now() - started - stopwatch.elapsedMs()
      if (number === maxAttempts || lostMs <= maxLostMs) throw error
    }
  }
}
