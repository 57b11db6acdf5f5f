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
import type { Config } from '../config/settings.ts'
import type { Metrics } from '../metrics.ts'
import { answerError, answerUnreadable } from './answer-error.ts'
import type { Bound } from './bind.ts'
import { dispatch, groupByPath, type Served } from './dispatch.ts'
import { type EndpointContext, serveEndpoint } from './serve-endpoint.ts'
import { cutWhenStalled, writeStallMs } from './stalled-responses.ts'
import { limitStrangers, StrangerLimiter, strangerLimitOf } from './stranger-limiter.ts'
import { isTrustedProxy } from './trusted-proxies.ts'
import { noteServed } from './unavailable-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once that is known; for the log. */
    account: Actor | null
    /** It was added to the open requests of its account. */
    isCountedOpen: boolean
    /** The endpoint's name, for log and metrics. */
    endpointName: string
    /** Names of parameters that the endpoint does not know; null where there are none. */
    ignoredParameters: readonly string[] | null
    /** The pattern of the path, like `/users/{user_id}`, for the log: a URL may hold keys. Absent where no path matches. */
    route: string | undefined
    /** The code of the refusal, for the log. */
    errorCode: string | undefined
    /** What the body says it is. Fastify would refuse what it does not know, before anyone is asked who they are. */
    contentType: string | undefined
    /** What it proves itself with stands in the URL, so a header that asks for a password would be of no use. */
    hasKeyInUrl: boolean
  }
}

/** Something outside the API: reference, health. */
export type Page = Omit<Served, 'method'> & Partial<Pick<Served, 'method'>>

/** Sent with every answer. Browsers keep to https where people reach us by it. */
function securityHeaders({ external_url }: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(external_url?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

export interface HttpServerOptions {
  /** See `writeStallMs`; tests shorten it. */
  stallMs?: number | undefined
}

export function buildHttpServer(
  context: EndpointContext,
  endpoints: Bound[],
  pages: Page[],
  { stallMs = writeStallMs }: HttpServerOptions = {},
): FastifyInstance {
  const strangers = new StrangerLimiter(strangerLimitOf(context.app))
  const security = securityHeaders(context.app.config)
  const server = fastify({
    loggerInstance: context.app.log as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than writing its id where it matters.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    forceCloseConnections: 'idle',
    // Only `request.ip` is asked for, and only these may say whose address it is.
    trustProxy: (address) => isTrustedProxy(context.app.config, address),
    // Fastify's own refusal is no envelope; ours is in the hook below.
    return503OnClosing: false,
    // For a request to arrive, not for its answer: no honest caller is slower.
    requestTimeout: 60_000,
    // Bodies are read after the caller is known; see arguments.ts.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      // Fastify runs no hooks for a path that it cannot read.
      reply.raw.once('finish', () => observe(context, request, reply))
      return answerError(error, request, reply.headers(security))
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, security),
  })
  server.decorateRequest('account', null)
  server.decorateRequest('isCountedOpen', false)
  server.decorateRequest('endpointName', 'none')
  server.decorateRequest('ignoredParameters', null)
  server.decorateRequest('route', undefined)
  server.decorateRequest('errorCode', undefined)
  server.decorateRequest('contentType', undefined)
  server.decorateRequest('hasKeyInUrl', false)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.setErrorHandler(answerError)
  const notFound = limitStrangers(strangers, {
    path: '*',
    method: 'GET',
    name: 'none',
    handle: async () => {
      throw new ApiError('NOT_FOUND')
    },
  })
  server.setNotFoundHandler((request, reply) => notFound.handle(request, reply))
  let isClosing = false
  server.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(security)
    if (isClosing) return done(new ApiError('SERVER_STOPPING'))
    const { headers } = request.raw
    if (headers['content-type'] !== undefined) {
      request.contentType = headers['content-type']
      delete headers['content-type']
    }
    cutWhenStalled(reply.raw, stallMs)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    observe(context, request, reply)
    done()
  })

  const served: Served[] = [
    ...endpoints.map((bound) => ({ ...placeOf(bound), handle: serveEndpoint(context, bound) })),
    ...pages.map((page) => ({ method: 'GET' as const, ...page })),
  ].map((each) => limitStrangers(strangers, each))
  for (const [path, methods] of groupByPath(served)) server.all(path, dispatch(methods))
  return server
}

/** `/users/{user_id}` → `/users/:user_id(^[0-9]+$)`: anything but digits is another path, so a 404, unless it is a text. */
function placeOf({ name, endpoint }: Bound): Omit<Served, 'handle'> {
  const params = endpoint.params as Params
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, param: string) =>
    params[param]?.isText ? `:${param}` : `:${param}(^[0-9]+$)`,
  )
  const marked = Object.entries(params).flatMap(([param, { requiredCharacter }]) =>
    requiredCharacter ? [{ param, requiredCharacter }] : [],
  )
  const isThere = (values: Readonly<Record<string, string>>) =>
    marked.every(({ param, requiredCharacter }) => values[param]?.includes(requiredCharacter))
  return {
    name,
    method: endpoint.method,
    path,
    route: endpoint.path,
    takesHead: endpoint.auth === 'webhook',
    counts: endpoint.auth === 'nobody' ? 'always' : 'without account',
    ...(marked.length > 0 && { isThere }),
  }
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
  const { endpointName: endpoint, account, route, errorCode: code } = request
  const { statusCode: status, elapsedTime } = reply
  countIn(app.metrics, endpoint, status).observe(elapsedTime / 1000)
  request.log.info(
    {
      request_id: request.id,
      endpoint,
      method: request.method,
      route,
      status,
      code,
      ms: Math.round(elapsedTime * 10) / 10,
      user_id: account?.user_id,
      organization_id: account?.organization_id,
      ip: request.ip,
    },
    'request',
  )
  if (status < 500 && account) noteServed(request.log)
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
