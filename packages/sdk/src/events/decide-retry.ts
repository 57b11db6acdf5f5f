import { TransportError } from '../request.ts'

/** `retry` the same request, `register` a new queue because the old one is lost, or `give up`. */
export type RetryDecision = 'retry' | 'register' | 'give up'

export function decideRetry(error: unknown): RetryDecision {
  if (error instanceof TransportError) return error.status === 401 ? 'give up' : 'retry'
  if (!isServerError(error)) return 'give up'
  if (isQueueLost(error)) return 'register'
  const { status } = error
  // An error in an event stream may have no status. A retry gets the same error with its status.
  return status === 0 || status >= 500 || status === 429 || status === 408 ? 'retry' : 'give up'
}

interface ServerError {
  readonly status: number
  readonly body: { readonly code?: unknown; readonly msg?: unknown }
}

/** Returns whether this is an `ApiError` or a `RequestError`. */
function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'status' in error && 'body' in error
}

/**
 * Returns whether the queue is lost. After a restore from a backup, the server may not have the
 * queue, or not the event at the cursor.
 */
function isQueueLost({ body: { code, msg } }: ServerError): boolean {
  // The second error has a code that many errors share, and its name is sent to sessions only.
  return code === 'BAD_EVENT_QUEUE_ID' || /^Event -?\d+ was not in this queue$/.test(String(msg))
}
