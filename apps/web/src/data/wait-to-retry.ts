import { type OutboxEntry, retryDelayMs } from './outbox-entry.ts'

/** Waits before the next attempt: a reason that passes ends with time, or with the network's return. */
export async function waitToRetry(entry: OutboxEntry): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, retryDelayMs(entry))
  addEventListener('online', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
