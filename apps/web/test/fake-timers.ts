import type { TestContext } from 'node:test'

/** Ids are never used twice, so that a timer of an earlier test can be cleared without effect on later ones. */
let lastId = 0

/**
 * Replaces `setTimeout`, `clearTimeout` and `Date.now` until the test ends. Returns a function that advances
 * the clock. Unlike Node's mock timers, it removes no wrong timer if another test file of the process clears
 * one that an earlier test created. Timers that other files start meanwhile run on this clock too.
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
