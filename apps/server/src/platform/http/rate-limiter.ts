export interface RateLimitState {
  allowed: boolean
  limit: number
  remaining: number
  /** When the window will be empty, in milliseconds since 1970. */
  resetsAt: number
  /** How long to wait before the next try, in milliseconds. */
  retryAfter: number
}

const WINDOW = 60_000

/**
 * A sliding window for each account, in this node's memory: a limit protects the node it is on, so what another node
 * counts does not matter. Refused requests do not count.
 */
export class RateLimiter {
  readonly #limit: number
  readonly #times = new Map<number, number[]>()
  #sweptAt = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Undefined where nothing is limited. */
  count(account: number, now = Date.now()): RateLimitState | undefined {
    if (this.#limit === 0) return undefined
    this.#sweep(now)
    const times = this.#recent(account, now)
    const allowed = times.length < this.#limit
    if (allowed) times.push(now)
    const oldest = times[0] ?? now
    const newest = times.at(-1) ?? now
    return {
      allowed,
      limit: this.#limit,
      remaining: this.#limit - times.length,
      resetsAt: newest + WINDOW,
      retryAfter: allowed ? 0 : oldest + WINDOW - now,
    }
  }

  #recent(account: number, now: number): number[] {
    const times = this.#times.get(account) ?? []
    const firstRecent = times.findIndex((time) => time > now - WINDOW)
    times.splice(0, firstRecent === -1 ? times.length : firstRecent)
    this.#times.set(account, times)
    return times
  }

  /** Accounts that went quiet take no memory. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < WINDOW) return
    this.#sweptAt = now
    for (const [account, times] of this.#times) {
      if ((times.at(-1) ?? 0) <= now - WINDOW) this.#times.delete(account)
    }
  }
}
