import { ApiError } from '@oxbow/contract'
import { BoundedCache } from '../bounded-cache.ts'
import { networkOf } from '../network-of.ts'

/** Maximum number of networks that are counted at the same time; beyond it, the oldest counts are dropped. */
const maxNetworks = 10_000

interface Count {
  startedAt: number
  requests: number
}

/** Limits requests per network (an IPv4 address or an IPv6 /64) in each period, in memory. */
export class NetworkLimiter {
  readonly #limit: number
  readonly #periodMs: number
  readonly #counts = new BoundedCache<string, Count>(maxNetworks)
  readonly #notifyPeers: ((network: string, change: number) => void) | undefined

  /** A limit of 0 means no limit. */
  constructor(limit: number, periodMs: number, notifyPeers?: (network: string, change: number) => void) {
    this.#limit = limit
    this.#periodMs = periodMs
    this.#notifyPeers = notifyPeers
  }

  /** Counts a request. Returns the seconds to wait if it is above the limit, and otherwise 0. */
  tryCount(address: string, now = Date.now()): number {
    if (this.#limit === 0) return 0
    const network = networkOf(address)
    const count = this.#countOf(network, now)
    if (count.requests >= this.#limit) return (count.startedAt + this.#periodMs - now) / 1_000
    count.requests++
    this.#notifyPeers?.(network, 1)
    return 0
  }

  #countOf(network: string, now: number): Count {
    const earlier = this.#counts.get(network)
    if (earlier && now - earlier.startedAt < this.#periodMs) return earlier
    const count = { startedAt: now, requests: 0 }
    this.#counts.set(network, count)
    return count
  }

  /** Adds requests that another process of this machine has counted; a negative number subtracts them. */
  addFromPeer(network: string, change: number, now = Date.now()): void {
    const count = this.#countOf(network, now)
    count.requests = Math.max(0, count.requests + change)
  }

  /** Counts a request, and throws `RATE_LIMIT_HIT` if it is above the limit. */
  count(address: string): void {
    const wait = this.tryCount(address)
    if (wait > 0) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': wait })
  }

  /** Subtracts one request from the count of this network. */
  forgive(address: string): void {
    const network = networkOf(address)
    const count = this.#counts.get(network)
    if (!count || count.requests === 0) return
    count.requests--
    this.#notifyPeers?.(network, -1)
  }

  get size(): number {
    return this.#counts.size
  }
}
