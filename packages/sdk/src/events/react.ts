import { ApiError } from '@oxbow/contract'
import { TransportError } from '../request.ts'

/** Again: the same once more. Anew: the queue is gone. Give up: it would be refused again. */
export type Reaction = 'again' | 'anew' | 'give up'

export function reactTo(error: unknown): Reaction {
  if (error instanceof TransportError) return error.status === 401 ? 'give up' : 'again'
  if (!(error instanceof ApiError)) return 'give up'
  // A server that was set back knows neither the queue nor how far we were.
  if (error.is('BAD_EVENT_QUEUE_ID') || error.is('EVENT_NOT_IN_QUEUE')) return 'anew'
  return error.status >= 500 || error.status === 429 || error.status === 408 ? 'again' : 'give up'
}
