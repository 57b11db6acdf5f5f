import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

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
