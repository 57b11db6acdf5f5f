import { setTimeout } from 'node:timers/promises'

/** Waits for a condition, never for a time: returns the first value that is there. */
export async function eventually<Value>(
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  patience = 10_000,
): Promise<Value> {
  const until = Date.now() + patience
  for (;;) {
    const value = await look()
    if (value !== undefined && value !== false) return value
    if (Date.now() > until) throw new Error(`waited ${patience} ms in vain for ${look}`)
    await setTimeout(20)
  }
}
