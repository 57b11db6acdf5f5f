import { ApiError } from '@oxbow/contract'
import { TransportError } from '@oxbow/sdk'
import { eventually } from '@oxbow/testkit'

/**
 * Repeats a call that fails because the machine is slow, as clients do: a node that fell behind the
 * log is unavailable, and a statement may exceed its time limit.
 */
export async function retryUnavailable<Value>(call: () => Promise<Value>): Promise<Value> {
  const { value } = await eventually(async () => {
    try {
      return { value: await call() }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.is('SERVICE_UNAVAILABLE') || error.is('NARROW_TOO_SLOW')) return false
      throw error
    }
  })
  return value
}

/**
 * Like `retryUnavailable`, for a call that changes nothing. It is also repeated after a lost
 * connection.
 */
export function retryReading<Value>(call: () => Promise<Value>): Promise<Value> {
  return retryUnavailable(() =>
    call().catch((error: unknown) => {
      if (error instanceof TransportError && error.status === undefined) return call()
      throw error
    }),
  )
}
