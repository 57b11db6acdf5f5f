import type { ServerResponse } from 'node:http'
import { ApiError, type NamedEndpoint } from '@oxbow/contract'
import type { FastifyReply } from 'fastify'
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'

export interface RateLimitState {
  allowed: boolean
  limit: number
  remaining: number
  /** Time at which all counted requests will have expired, in milliseconds since 1970. */
  resetsAt: number
  /** Milliseconds until the next request is allowed. */
  retryAfter: number
}

const countedMs = 60_000

/**
 * Limits the requests of each account within the last minute, in memory. The limit protects a machine: its
 * processes share their counts (`share-counts.ts`), other nodes do not. Refused requests do not count.
 */
export class RateLimiter {
  readonly #limit: number
  readonly #times = new Map<number, number[]>()
  readonly #notifyPeers: ((account: number, change: number) => void) | undefined
  #sweptAt = 0

  constructor(limit: number, notifyPeers?: (account: number, change: number) => void) {
    this.#limit = limit
    this.#notifyPeers = notifyPeers
  }

  /** Counts a request and returns the limit's state for its account; undefined if there is no limit. */
  count(account: number, now = Date.now()): RateLimitState | undefined {
    if (this.#limit === 0) return undefined
    this.#sweep(now)
    const times = this.#recent(account, now)
    const allowed = times.length < this.#limit
    if (allowed) {
      times.push(now)
      this.#notifyPeers?.(account, 1)
    }
    const oldest = times[0] ?? now
    const newest = times.at(-1) ?? now
    return {
      allowed,
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - times.length),
      resetsAt: newest + countedMs,
      retryAfter: allowed ? 0 : oldest + countedMs - now,
    }
  }

  /** Counts requests that another process of this machine has admitted. */
  addFromPeer(account: number, requests: number, now = Date.now()): void {
    const times = this.#recent(account, now)
    for (let i = 0; i < requests; i++) times.push(now)
  }

  /** Number of accounts with counted requests. */
  get size(): number {
    return this.#times.size
  }

  #recent(account: number, now: number): number[] {
    const times = this.#times.get(account) ?? []
    const firstRecent = times.findIndex((time) => time > now - countedMs)
    times.splice(0, firstRecent === -1 ? times.length : firstRecent)
    this.#times.set(account, times)
    return times
  }

  /** Drops accounts without recent requests. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < countedMs) return
    this.#sweptAt = now
    for (const [account, times] of this.#times) {
      if ((times.at(-1) ?? 0) <= now - countedMs) this.#times.delete(account)
    }
  }
}

/**
 * Counts the open requests of each account on this node, including long polls. Limits the memory that a
 * client can use by opening many connections or by not reading responses.
 */
export class OpenRequests {
  readonly #limit: number
  readonly #counts = new Map<number, number>()

  /** A limit of 0 means no limit. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Counts a request until its response was sent or its client disconnects. Throws `TOO_MANY_CONNECTIONS`
   * above the limit.
   */
  add(account: number, response: ServerResponse): void {
    const count = this.#counts.get(account) ?? 0
    if (this.#limit > 0 && count >= this.#limit)
      throw new ApiError('TOO_MANY_CONNECTIONS', { limit: this.#limit, 'retry-after': 1 })
    // For a client that has already disconnected, `close` is not emitted again.
    if (response.destroyed) return
    this.#counts.set(account, count + 1)
    response.once('close', () => this.#remove(account))
  }

  #remove(account: number): void {
    const count = this.#counts.get(account) ?? 0
    if (count <= 1) this.#counts.delete(account)
    else this.#counts.set(account, count - 1)
  }
}

/** The limits of requests to endpoints. */
export interface RequestLimits {
  limiter: RateLimiter
  /** Limits polls separately: they are as frequent as events, so their limit is higher. */
  pollLimiter: RateLimiter
  openRequests: OpenRequests
}

/**
 * Counts a request against the rate limit of its account and sets the `X-RateLimit` headers; throws
 * above the limit.
 */
export function countRequest(
  { limiter, pollLimiter, openRequests, app }: RequestLimits & { app: Pick<App, 'metrics'> },
  { endpoint }: NamedEndpoint,
  actor: Actor,
  reply: FastifyReply,
): void {
  const { request } = reply
  if (!request.isCountedOpen) {
    openRequests.add(actor.user_id, reply.raw)
    request.isCountedOpen = true
  }
  const state = (endpoint.eventStream ? pollLimiter : limiter).count(actor.user_id)
  if (!state) return
  reply.header('x-ratelimit-limit', state.limit)
  reply.header('x-ratelimit-remaining', state.remaining)
  reply.header('x-ratelimit-reset', Math.floor(state.resetsAt / 1000))
  refuseAboveLimit(app, state)
}

/** Throws if the limiter's state shows that the counted request is above the limit. */
export function refuseAboveLimit({ metrics }: Pick<App, 'metrics'>, state: RateLimitState | undefined): void {
  if (!state || state.allowed) return
  metrics.rateLimited.inc()
  throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': state.retryAfter / 1000 })
}
