import { setTimeout } from 'node:timers/promises'

export interface RetryOptions {
  /** Maximum number of attempts; the error of the last one is thrown. */
  maxAttempts: number
  /** Whether another attempt may succeed after this error. */
  shouldRetry: (error: unknown) => boolean
  /** Returns the milliseconds to wait after this attempt failed; by default none. */
  delayMs?: (attempt: number) => number
}

/** Calls `work` until it succeeds, at most `maxAttempts` times. Attempts are counted from 1. */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  { maxAttempts, shouldRetry, delayMs }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt >= maxAttempts || !shouldRetry(error)) throw error
      if (delayMs) await setTimeout(delayMs(attempt))
    }
  }
}

/**
 * Computes waits that double after each failure, from `firstMs` to `maxMs`, for work that is retried forever.
 */
export class Backoff {
  readonly #firstMs: number
  readonly #maxMs: number
  #nextMs: number

  constructor({ firstMs, maxMs }: { firstMs: number; maxMs: number }) {
    this.#firstMs = firstMs
    this.#maxMs = maxMs
    this.#nextMs = firstMs
  }

  /** Returns the milliseconds to wait before the next attempt, and doubles the following wait. */
  next(): number {
    const now = this.#nextMs
    this.#nextMs = Math.min(now * 2, this.#maxMs)
    return now
  }

  /** Makes the next wait `firstMs` again, after a success. */
  reset(): void {
    this.#nextMs = this.#firstMs
  }
}
