import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Route } from './bind.ts'
import type { NetworkLimiter } from './network-limiter.ts'
import { readQuery } from './request-input.ts'
import { hasSessionCookie } from './session-cookie.ts'
import { makeNetworkLimiter } from './share-counts.ts'

/**
 * Creates the limiter that counts requests without an account, per network and minute. Requests of accounts
 * do not count, so an office whose users share one address is not limited.
 */
export const makeAnonymousLimiter = (app: Pick<App, 'config' | 'peers'>): NetworkLimiter =>
  makeNetworkLimiter(app, 'requests of strangers', strangerLimit(app), 60_000)

/**
 * Returns the limit of requests without an account. The default is 300, or no limit if accounts have none
 * either.
 */
const strangerLimit = ({ config }: Pick<App, 'config'>): number =>
  config.stranger_limit_per_minute ?? (config.rate_limit_per_minute === 0 ? 0 : 300)

/**
 * Endpoints whose successful requests do not count: people who sign in correctly must not use up the limit of
 * their network.
 */
const signIns = new Set(['authentication.fetchApiKey', 'authentication.devFetchApiKey', 'sessions.create'])

/**
 * Applies the limit to a route. Requests without credentials are counted before they are served. Requests
 * with wrong credentials or a wrong temporary link are counted when they are refused. Pages treat wrong
 * credentials like none instead of refusing them, so they count such requests themselves, with
 * `request.anonymousLimiter`.
 */
export function limitAnonymousRequests(limiter: NetworkLimiter, served: Route): Route {
  const { handle, name, anonymousLimit: counts = 'always' } = served
  if (counts === 'never') return served
  return {
    ...served,
    handle: async (request, reply) => {
      const isCountedLater =
        counts === 'with a wrong link' || (counts === 'without account' && hasCredentials(request))
      if (!isCountedLater) limiter.count(request.ip)
      else if (counts === 'without account') request.anonymousLimiter = limiter
      try {
        const response = await handle(request, reply)
        const isSignedIn = request.account !== null || request.hasSignedIn || signIns.has(name)
        if (!isCountedLater && isSignedIn) limiter.forgive(request.ip)
        return response
      } catch (error) {
        if (isCountedLater && error instanceof ApiError && isRefusedCredential(error))
          limiter.count(request.ip)
        throw error
      }
    },
  }
}

function hasCredentials({ headers, raw }: FastifyRequest): boolean {
  return headers.authorization !== undefined || hasSessionCookie(headers) || readQuery(raw).has('api_key')
}

/**
 * Returns whether the error refuses the credentials. `CROSS_ORIGIN` and `OTHER_ACCOUNT` are included, because
 * such requests are refused before they are counted for an account.
 */
function isRefusedCredential(error: ApiError): boolean {
  const names = ['CROSS_ORIGIN', 'OTHER_ACCOUNT', 'TEMPORARY_LINK_INVALID'] as const
  return error.status === 401 || names.some((name) => error.is(name))
}
