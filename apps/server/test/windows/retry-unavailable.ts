import { ApiError } from '@oxbow/contract'
import { eventually } from '@oxbow/testkit'

/** Repeats a call while the node is not available, as clients do: a slow node may fall behind the log. */
export async function retryUnavailable<Value>(call: () => Promise<Value>): Promise<Value> {
  const { value } = await eventually(async () => {
    try {
      return { value: await call() }
    } catch (error) {
      if (error instanceof ApiError && error.is('SERVICE_UNAVAILABLE')) return false
      throw error
    }
  })
  return value
}
