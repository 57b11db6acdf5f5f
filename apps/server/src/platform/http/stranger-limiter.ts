import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { readQuery } from './arguments.ts'
import type { Route } from './dispatch.ts'
import { NetworkLimiter } from './network-limiter.ts'
import { hasSessionCookie } from './session-cookie.ts'

/**
 * Creates the limiter of requests without an account, per minute. Requests of accounts never count,
 * so an office behind one address is not limited.
 */
export const makeStrangerLimiter = (app: Pick<App, 'config'>): NetworkLimiter =>
  new NetworkLimiter(strangerLimit(app), 60_000)

/**
 * Returns the limit of requests without an account. By default 300, or none if accounts have no
 * limit either.
 */
const strangerLimit = ({ config }: Pick<App, 'config'>): number =>
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
export function limitStrangers(limiter: NetworkLimiter, served: Route): Route {
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
        const response = await handle(request, reply)
        const isSignedIn = request.account !== null || request.hasSignedIn || signIns.has(name)
        if (!isLater && isSignedIn) limiter.forgive(request.ip)
        return response
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
