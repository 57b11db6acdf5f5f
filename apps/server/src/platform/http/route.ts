import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { NetworkLimiter } from './network-limiter.ts'
import { readQuery } from './request-input.ts'
import type { Handler } from './serve-endpoint.ts'
import { hasSessionCookie } from './session-cookie.ts'
import { makeNetworkLimiter } from './share-counts.ts'

/** One method of a path, with its handler. */
export interface Route {
  /** Path in the router's notation. */
  path: string
  /** Path as documented, `/users/{user_id}`; for the log. */
  route?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Name for log and metrics. */
  name: string
  handle: Handler
  /** Whether the route also handles HEAD although its method is not GET. */
  takesHead?: boolean
  /**
   * Which requests count against the limit for requests without an account. `always` (the default): all, for
   * routes without authentication. `without account`: those that are not authenticated. `with a wrong link`:
   * those with an invalid temporary link, which serves as a credential. `never`: none, for monitoring and
   * for pictures, which pages load without credentials.
   */
  anonymousLimit?: 'always' | 'without account' | 'with a wrong link' | 'never'
  /**
   * Decides by the parameter values whether the path really matches, if the router's pattern is not precise
   * enough.
   */
  matchesPath?: (values: Readonly<Record<string, string>>) => boolean
}

export function groupByPath(served: Route[]): Map<string, Route[]> {
  return Map.groupBy(served, ({ path }) => path)
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Returns one handler for all methods of a path, so that a wrong method is refused before anything
 * else is checked.
 */
export function dispatch(served: Route[]): Handler {
  const byMethod = new Map<string, Route>(served.map((route) => [route.method, route]))
  const declared: string[] = methodOrder.filter((method) => byMethod.has(method))
  const allowed_methods = declared.includes('GET') ? [...declared, 'HEAD'] : declared
  const options = allowed_methods.toSorted().join(', ')
  const [{ path, route = path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}') }] = served as [Route]
  const headRoute = byMethod.get('GET') ?? served.find(({ takesHead }) => takesHead)
  const conditions = served.flatMap(({ matchesPath }) => matchesPath ?? [])
  return (request, reply) => {
    if (!conditions.every((matchesPath) => matchesPath(request.params as Record<string, string>)))
      throw new ApiError('NOT_FOUND')
    request.route = route
    const found = request.method === 'HEAD' ? headRoute : byMethod.get(request.method)
    if (found) {
      request.endpointName = found.name
      return found.handle(request, reply)
    }
    if (request.method === 'OPTIONS') return sendAllowedMethods(reply, options)
    throw new ApiError('METHOD_NOT_ALLOWED', { allowed_methods })
  }
}

async function sendAllowedMethods(reply: FastifyReply, allow: string): Promise<FastifyReply> {
  return reply.code(204).header('allow', allow).send()
}

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
 * Returns whether the error refuses the credentials. `CROSS_ORIGIN` is included, because a session from a
 * foreign origin is refused before it is looked up.
 */
function isRefusedCredential(error: ApiError): boolean {
  return error.status === 401 || error.is('CROSS_ORIGIN') || error.is('TEMPORARY_LINK_INVALID')
}
