import { TransportError } from '../request.ts'

/** `retry` the same request, `register` a new queue because the old one is lost, or `give up`. */
export type RetryDecision = 'retry' | 'register' | 'give up'

export function decideRetry(error: unknown): RetryDecision {
  if (error instanceof TransportError) return error.status === 401 ? 'give up' : 'retry'
  if (!isServerError(error)) return 'give up'
  if (isQueueLost(error)) return 'register'
  const { status } = error
  // An error in an event stream may have no status. The next request gets the same error with one.
  return status === 0 || status >= 500 || status === 429 || status === 408 ? 'retry' : 'give up'
}

interface ServerError {
  readonly status: number
  readonly body: { readonly code?: unknown; readonly msg?: unknown }
}

/** Whether this is an `ApiError` or a `RequestError`. */
function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'status' in error && 'body' in error
}

/** After a restore to an older state the server may know neither the queue nor the cursor. */
function isQueueLost({ body: { code, msg } }: ServerError): boolean {
  // The second error shares its code with many others, and only sessions get its name.
  return code === 'BAD_EVENT_QUEUE_ID' || /^Event -?\d+ was not in this queue$/.test(String(msg))
}
