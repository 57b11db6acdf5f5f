import { getRetryAfterMs } from '../request.ts'

export interface Backoff {
  /** The maximum wait after the first failure. It doubles with each further failure. */
  firstMs: number
  /** The maximum of all waits. A longer `Retry-After` of the server takes precedence. */
  maxMs: number
}

/** Computes the waits between attempts: exponential backoff with jitter. */
export class BackoffTimer {
  readonly #backoff: Backoff
  #failures = 0

  constructor(backoff: Backoff) {
    this.#backoff = backoff
  }

  /** Whether an attempt failed since the last success. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** Resets the wait to the shortest one. Call it after a success. */
  reset(): void {
    this.#failures = 0
  }

  /** Returns the milliseconds to wait after another failure. */
  nextDelayMs(error?: unknown): number {
    const { firstMs, maxMs } = this.#backoff
    const wait = Math.min(maxMs, firstMs * 2 ** this.#failures++) * (0.5 + Math.random() / 2)
    const requestedMs = getRetryAfterMs(error)
    return requestedMs === undefined ? wait : Math.max(wait, requestedMs + Math.random() * firstMs)
  }
}
