import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { networkOf } from '../network-of.ts'
import { readQuery } from './arguments.ts'
import type { Route } from './dispatch.ts'
import { hasSessionCookie } from './session-cookie.ts'

const windowMs = 60_000
/** Networks counted at the same time; beyond this the oldest counts are dropped. */
const maxNetworks = 10_000

interface Count {
  startedAt: number
  requests: number
}

/**
 * Limits requests without an account per network (an IPv4 address or an IPv6 /64) and minute, in
 * this node's memory. Requests of accounts never count, so an office behind one address is not
 * limited.
 */
export class StrangerLimiter {
  readonly #limit: number
  readonly #counts = new BoundedCache<string, Count>(maxNetworks)

  /** A limit of 0 means no limit. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Throws `RATE_LIMIT_HIT` for a request above the limit. */
  count(address: string, now = Date.now()): void {
    if (this.#limit === 0) return
    const network = networkOf(address)
    const known = this.#counts.get(network)
    const count = known && now - known.startedAt < windowMs ? known : { startedAt: now, requests: 0 }
    if (count !== known) this.#counts.set(network, count)
    if (count.requests >= this.#limit)
      throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': (count.startedAt + windowMs - now) / 1_000 })
    count.requests++
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

/**
 * Returns the limit of requests without an account. By default 300, or none if accounts have no
 * limit either.
 */
export const strangerLimit = ({ config }: Pick<App, 'config'>): number =>
  config.stranger_limit_per_minute ?? (config.rate_limit_per_minute === 0 ? 0 : 300)

/**
 * Endpoints whose successful requests do not count: a correct password must not limit others of the
 * same network.
 */
const signIns = new Set(['authentication.fetchApiKey', 'authentication.devFetchApiKey', 'sessions.create'])

/**
 * Applies the limit to a route: requests without credentials count before they are served, wrong
 * temporary links after, and wrong credentials when they are found out: endpoints throw, and pages,
 * which serve people without a session too, use `request.strangerLimiter`.
 */
export function limitStrangers(limiter: StrangerLimiter, served: Route): Route {
  const { handle, name, countsAsStranger: counts = 'always' } = served
  if (counts === 'never') return served
  return {
    ...served,
    handle: async (request, reply) => {
      const isLater =
        counts === 'with a wrong link' || (counts === 'without account' && hasCredentials(request))
      if (!isLater) limiter.count(request.ip)
      else if (counts === 'without account') request.strangerLimiter = limiter
      try {
        const answered = await handle(request, reply)
        const isSignedIn = request.account !== null || request.hasSignedIn || signIns.has(name)
        if (!isLater && isSignedIn) limiter.forgive(request.ip)
        return answered
      } catch (error) {
        if (isLater && error instanceof ApiError && isRefusedCredential(error)) limiter.count(request.ip)
        throw error
      }
    },
  }
}

function hasCredentials({ headers, raw }: FastifyRequest): boolean {
  return headers.authorization !== undefined || hasSessionCookie(headers) || readQuery(raw).has('api_key')
}

/** A request with a session from a foreign origin is refused before the session is looked up. */
function isRefusedCredential(error: ApiError): boolean {
  return error.status === 401 || error.is('CROSS_ORIGIN') || error.is('TEMPORARY_LINK_INVALID')
}
