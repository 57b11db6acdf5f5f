import { type OutboxEntry, retryDelayMs } from './outbox-entry.ts'

/** Waits before a retry; the wait ends early when the network returns. */
export async function waitToRetry(entry: OutboxEntry): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, retryDelayMs(entry))
  addEventListener('online', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
