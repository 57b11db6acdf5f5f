import type { CallOptions } from '@oxbow/sdk/browser'
import { limitCall } from './pending.ts'
import { randomId } from './random-id.ts'
import { waitToRetry } from './wait-to-retry.ts'

/**
 * Makes a call, and repeats it with the same idempotency key until the server answers. If the connection
 * breaks, it is unknown whether the request arrived; the answer to a repeated request is that to the first.
 * Throws the server's refusal.
 */
export async function repeatUntilAnswered<Result>(
  call: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const idempotencyKey = randomId()
  for (let failures = 1; ; failures++)
    try {
      return await call({ ...limitCall(), idempotencyKey })
    } catch (error) {
      if ((error as { status?: number }).status !== undefined) throw error
      await waitToRetry(failures, error)
    }
}
