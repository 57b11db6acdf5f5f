import { randomBytes } from 'node:crypto'
import { ApiError, type Params } from '@oxbow/contract'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Histogram } from 'prom-client'
import type { Actor } from '../actor.ts'
import type { Metrics } from '../metrics.ts'
import { answerError, answerUnreadable } from './answer-error.ts'
import type { Bound } from './bind.ts'
import { dispatch, groupByPath, type Served } from './dispatch.ts'
import { type EndpointContext, serveEndpoint } from './serve-endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once that is known; for the log. */
    account: Actor | null
    /** The endpoint's name, for log and metrics. */
    endpointName: string
    /** What the body says it is. Fastify would refuse what it does not know, before anyone is asked who they are. */
    contentType: string | undefined
    /** What it proves itself with stands in the URL, so a header that asks for a password would be of no use. */
    hasKeyInUrl: boolean
  }
}

/** Something outside the API: reference, health. */
export type Page = Omit<Served, 'method'> & Partial<Pick<Served, 'method'>>

export function buildHttpServer(
  context: EndpointContext,
  endpoints: Bound[],
  pages: Page[],
): FastifyInstance {
  const server = fastify({
    loggerInstance: context.app.log as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than writing its id where it matters.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    forceCloseConnections: 'idle',
    // For a request to arrive, not for its answer: no honest caller is slower.
    requestTimeout: 60_000,
    // Bodies are read after the caller is known; see arguments.ts.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
    frameworkErrors: answerError,
    clientErrorHandler: answerUnreadable,
  })
  server.decorateRequest('account', null)
  server.decorateRequest('endpointName', 'none')
  server.decorateRequest('contentType', undefined)
  server.decorateRequest('hasKeyInUrl', false)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.setErrorHandler(answerError)
  server.setNotFoundHandler((request, reply) => answerError(new ApiError('NOT_FOUND'), request, reply))
  server.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw
    if (headers['content-type'] !== undefined) {
      request.contentType = headers['content-type']
      delete headers['content-type']
    }
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    observe(context, request, reply)
    done()
  })

  const served: Served[] = [
    ...endpoints.map((bound) => ({ ...placeOf(bound), handle: serveEndpoint(context, bound) })),
    ...pages.map((page) => ({ method: 'GET' as const, ...page })),
  ]
  for (const [path, methods] of groupByPath(served)) server.all(path, dispatch(methods))
  return server
}

/** `/users/{user_id}` → `/users/:user_id(^[0-9]+$)`: anything but digits is another path, so a 404, unless it is a text. */
function placeOf({ name, endpoint }: Bound): Omit<Served, 'handle'> {
  const params = endpoint.params as Params
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, param: string) =>
    params[param]?.isText ? `:${param}` : `:${param}(^[0-9]+$)`,
  )
  return { name, method: endpoint.method, path, takesHead: endpoint.auth === 'webhook' }
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)
    ? given
    : `${processMark}-${(requests++).toString(36)}`
}

/** Unique, and cheaper to make and to keep than something random for each request. */
const processMark = randomBytes(9).toString('base64url')
let requests = 0

function observe({ app }: EndpointContext, request: FastifyRequest, reply: FastifyReply): void {
  const { endpointName: endpoint, account } = request
  const { statusCode: status, elapsedTime } = reply
  countIn(app.metrics, endpoint, status).observe(elapsedTime / 1000)
  request.log.info(
    {
      request_id: request.id,
      endpoint,
      method: request.method,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
      user_id: account?.user_id,
      organization_id: account?.organization_id,
    },
    'request',
  )
}

const counters = new WeakMap<Metrics, Map<string, Histogram.Internal<'endpoint' | 'status'>>>()

/** Looking labels up costs more than counting does. There are as many as endpoints have statuses. */
function countIn(metrics: Metrics, endpoint: string, status: number) {
  const known = counters.get(metrics) ?? new Map()
  counters.set(metrics, known)
  const key = `${endpoint} ${status}`
  const counter = known.get(key) ?? metrics.requests.labels(endpoint, String(status))
  known.set(key, counter)
  return counter
}
