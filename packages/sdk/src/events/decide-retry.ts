import { ApiError } from '@oxbow/contract'
import { TransportError } from '../request.ts'

/** `retry` the same request, `register` a new queue because the old one is lost, or `give up`. */
export type RetryDecision = 'retry' | 'register' | 'give up'

export function decideRetry(error: unknown): RetryDecision {
  if (error instanceof TransportError) return error.status === 401 ? 'give up' : 'retry'
  if (!(error instanceof ApiError)) return 'give up'
  // After a restore to an older state the server may know neither the queue nor the cursor.
  if (error.is('BAD_EVENT_QUEUE_ID') || error.is('EVENT_NOT_IN_QUEUE')) return 'register'
  return error.status >= 500 || error.status === 429 || error.status === 408 ? 'retry' : 'give up'
}
