import type { TestContext } from 'node:test'

/** Ids are never used twice, so that a timer of an earlier test can be cleared without effect on later ones. */
let lastId = 0

/**
 * Replaces `setTimeout`, `clearTimeout` and `Date.now` until the test ends. Returns a function that advances
 * the clock. Timers of other test files in the process may be among them: the mock timers of Node remove a
 * wrong timer if such a file clears one that a test before had created.
 */
export function useFakeTimers(t: TestContext): (milliseconds: number) => void {
  const timers = new Map<unknown, { at: number; run: () => void }>()
  const { clearTimeout: clearReal } = globalThis
  let now = 0
  t.mock.method(globalThis, 'setTimeout', ((run: () => void, milliseconds = 0) => {
    timers.set(++lastId, { at: now + milliseconds, run })
    return lastId
  }) as typeof setTimeout)
  t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout | number | undefined) => {
    if (!timers.delete(timer) && typeof timer === 'object') clearReal(timer)
  })
  t.mock.method(Date, 'now', () => now)
  return (milliseconds) => {
    const end = now + milliseconds
    for (;;) {
      const [due] = [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)
      if (!due) break
      timers.delete(due[0])
      now = Math.max(now, due[1].at)
      due[1].run()
    }
    now = end
  }
}
