import { ApiError } from '@oxbow/contract'
import type { FastifyReply } from 'fastify'
import type { Handler } from './serve-endpoint.ts'

/** Something that answers at a path, by one method. */
export interface Served {
  /** In the router's notation. */
  path: string
  /** As the documentation writes it, `/users/{user_id}`; for the log. */
  route?: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** For log and metrics. */
  name: string
  handle: Handler
  /** HEAD is its matter too, though it is no GET. */
  takesHead?: boolean
  /**
   * Whether requests count against the limit of strangers: `always` where nobody signs in, unless given; `without
   * account`; `never` for monitoring and for pictures that pages of signed-in people load without credentials.
   */
  counts?: 'always' | 'without account' | 'never'
  /** Whether values of the path's parameters make it this path, where the router cannot tell. */
  isThere?: (values: Readonly<Record<string, string>>) => boolean
}

export function groupByPath(served: Served[]): Map<string, Served[]> {
  return Map.groupBy(served, ({ path }) => path)
}

const usualOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One route a path: so that a wrong method is told from an unknown path before anything else is looked at. */
export function dispatch(served: Served[]): Handler {
  const byMethod = new Map<string, Served>(served.map((each) => [each.method, each]))
  const declared: string[] = usualOrder.filter((method) => byMethod.has(method))
  const allowed_methods = declared.includes('GET') ? [...declared, 'HEAD'] : declared
  const options = allowed_methods.toSorted().join(', ')
  const [{ path, route = path.replace(/:(\w+)(\([^)]*\))?/g, '{$1}') }] = served as [Served]
  const ofHead = byMethod.get('GET') ?? served.find(({ takesHead }) => takesHead)
  const conditions = served.flatMap(({ isThere }) => isThere ?? [])
  return (request, reply) => {
    if (!conditions.every((isThere) => isThere(request.params as Record<string, string>)))
      throw new ApiError('NOT_FOUND')
    request.route = route
    const found = request.method === 'HEAD' ? ofHead : byMethod.get(request.method)
    if (found) {
      request.endpointName = found.name
      return found.handle(request, reply)
    }
    if (request.method === 'OPTIONS') return answerOptions(reply, options)
    throw new ApiError('METHOD_NOT_ALLOWED', { allowed_methods })
  }
}

async function answerOptions(reply: FastifyReply, allow: string): Promise<FastifyReply> {
  return reply.code(204).header('allow', allow).send()
}
