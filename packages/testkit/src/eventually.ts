import { setTimeout } from 'node:timers/promises'

/** Calls `check` every 20 ms until it returns neither undefined nor false, and returns that value. */
export async function eventually<Value>(
  check: () => Value | undefined | false | Promise<Value | undefined | false>,
  timeoutMs = 90_000,
): Promise<Value> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== false) return value
    if (Date.now() > until) throw new Error(`still not true after ${timeoutMs} ms: ${check}`)
    await setTimeout(20)
  }
}
