import { getRetryAfterMs } from '@oxbow/sdk/browser'
import { onRecovered } from './connection.ts'

const minRetryMs = 1_000
const maxRetryMs = 60_000

/** Returns the wait before the next attempt, in milliseconds; it grows with the number of failures. */
export const retryDelayMs = (failures: number): number =>
  Math.min(minRetryMs * 2 ** Math.max(failures - 1, 0), maxRetryMs)

/** HTTP status of a failed call; undefined without a response. */
const statusOf = (error: unknown): number | undefined => (error as { status?: number } | undefined)?.status

/** Whether a call that failed with this status, or without a response, may succeed if it is repeated. */
export const isTemporaryStatus = (status: number | undefined): boolean =>
  status === undefined || status >= 500 || status === 429 || status === 408

/** Whether a call that failed with this error may succeed if it is repeated. */
export const isTemporary = (error: unknown): boolean => isTemporaryStatus(statusOf(error))

/**
 * Waits before a retry: longer after each failure, and at least as long as the server requested. The
 * wait ends early when the network or the server is back, except after status 429.
 */
export async function waitToRetry(failures: number, error?: unknown): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const timer = setTimeout(end, Math.max(retryDelayMs(failures), getRetryAfterMs(error) ?? 0))
  const isLimited = statusOf(error) === 429
  const stop = isLimited ? undefined : onRecovered(end)
  if (!isLimited) addEventListener('online', end, { once: true })
  await promise
  clearTimeout(timer)
  stop?.()
  removeEventListener('online', end)
}
