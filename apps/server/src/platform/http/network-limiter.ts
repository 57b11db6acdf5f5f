import { ApiError } from '@oxbow/contract'
import { BoundedCache } from '../bounded-cache.ts'
import { networkOf } from '../network-of.ts'

/** Networks counted at the same time; beyond this the oldest counts are dropped. */
const maxNetworks = 10_000

interface Count {
  startedAt: number
  requests: number
}

/** Limits requests per network (an IPv4 address or an IPv6 /64) in each period, in this node's memory. */
export class NetworkLimiter {
  readonly #limit: number
  readonly #periodMs: number
  readonly #counts = new BoundedCache<string, Count>(maxNetworks)

  /** A limit of 0 means no limit. */
  constructor(limit: number, periodMs: number) {
    this.#limit = limit
    this.#periodMs = periodMs
  }

  /** Counts a request. Returns the seconds to wait if it is above the limit, and otherwise 0. */
  tryCount(address: string, now = Date.now()): number {
    if (this.#limit === 0) return 0
    const network = networkOf(address)
    const earlier = this.#counts.get(network)
    const count =
      earlier && now - earlier.startedAt < this.#periodMs ? earlier : { startedAt: now, requests: 0 }
    if (count !== earlier) this.#counts.set(network, count)
    if (count.requests >= this.#limit) return (count.startedAt + this.#periodMs - now) / 1_000
    count.requests++
    return 0
  }

  /** Counts a request, and throws `RATE_LIMIT_HIT` if it is above the limit. */
  count(address: string): void {
    const wait = this.tryCount(address)
    if (wait > 0) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': wait })
  }

  /** Takes back one request of this network. */
  forgive(address: string): void {
    const count = this.#counts.get(networkOf(address))
    if (count && count.requests > 0) count.requests--
  }

  get size(): number {
    return this.#counts.size
  }
}
