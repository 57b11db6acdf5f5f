import { randomBytes } from 'node:crypto'
import { ApiError } from '@oxbow/contract'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Histogram } from 'prom-client'
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import type { Config } from '../config/settings.ts'
import { FailureLog } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { limitAnonymousRequests, makeAnonymousLimiter } from './anonymous-limiter.ts'
import { dispatch, groupByPath, type Route } from './bind.ts'
import { defaultStallMs, StalledConnections } from './connections.ts'
import { isTrustedProxy } from './host.ts'
import type { NetworkLimiter } from './network-limiter.ts'
import { sendError, sendTooSlow, sendUnreadableError } from './send-error.ts'
import { traceRequests } from './trace-requests.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs when requests begin to be refused because PostgreSQL or the file store is unavailable. */
    outages: FailureLog
  }
  interface FastifyRequest {
    /** The authenticated account, once it is known; for the log. */
    account: Actor | null
    /** Whether a password was accepted. If so, the request does not count as one without an account. */
    hasSignedIn: boolean
    /**
     * The limiter that a page uses to count the request if its credentials belong to no account; null if the
     * request has no credentials, because then it is already counted.
     */
    anonymousLimiter: NetworkLimiter | null
    /** Whether the request was added to the open requests of its account. */
    isCountedOpen: boolean
    /** The endpoint's name, for log and metrics. */
    endpointName: string
    /** Names of parameters that the endpoint does not have; null if there are none. */
    ignoredParameters: readonly string[] | null
    /**
     * Pattern of the path, like `/users/{user_id}`, logged instead of the URL, which may contain
     * keys.
     */
    route: string | undefined
    /** Code of the error response, for the log. */
    errorCode: string | undefined
    /**
     * Content type of the body. Hidden from Fastify, which would refuse unknown types before
     * authentication.
     */
    contentType: string | undefined
    /** Whether the credentials are in the URL. If so, a `WWW-Authenticate` header would be of no use. */
    hasKeyInUrl: boolean
    /**
     * Whether the file of the request is read while it arrives. Such a request may take long, and may be
     * refused before all of it was read.
     */
    isStreamed: boolean
  }
}

/** A route outside the API, such as a reference page or a health check; GET by default. */
export type Page = Omit<Route, 'method'> & Partial<Pick<Route, 'method'>>

/** Headers sent with every response. HSTS is added if `external_url` is https. */
function securityHeaders({ external_url }: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(external_url?.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

export interface HttpServerOptions {
  /** See `defaultStallMs`. Tests set a shorter time. */
  stallMs?: number | undefined
}

export function buildHttpServer(
  app: App,
  routes: Route[],
  { stallMs = defaultStallMs }: HttpServerOptions = {},
): FastifyInstance {
  const anonymousLimiter = makeAnonymousLimiter(app)
  const security = securityHeaders(app.config)
  const server = fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    // A child logger per request is too expensive, so the request id is logged only where it is needed.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    forceCloseConnections: 'idle',
    // Determines `request.ip`: only trusted proxies may forward a client's address. Without trusted proxies,
    // Fastify ignores forwarded addresses.
    trustProxy: app.config.trusted_proxies.length > 0 && ((address) => isTrustedProxy(app.config, address)),
    // Fastify's own 503 response is not an envelope; the hook below sends one.
    return503OnClosing: false,
    // `StalledConnections` limits how long a request may take to arrive.
    requestTimeout: 0,
    // Bodies are read after the caller is authenticated; see request-input.ts.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      // Fastify runs no hooks for a path that it cannot decode.
      reply.raw.once('finish', () => recordRequest(app, request, reply))
      return sendError(error, request, reply.headers(security))
    },
    clientErrorHandler: (error, socket) => sendUnreadableError(error, socket, security),
  })
  server.decorate(
    'outages',
    new FailureLog(app.log, {
      failed: 'requests are refused with 503',
      recovered: 'requests are served again',
      // The outage is regarded as over once no request has failed for a while.
      quietMs: 10_000,
    }),
  )
  server.decorateRequest('account', null)
  server.decorateRequest('hasSignedIn', false)
  server.decorateRequest('anonymousLimiter', null)
  server.decorateRequest('isCountedOpen', false)
  server.decorateRequest('endpointName', 'none')
  server.decorateRequest('ignoredParameters', null)
  server.decorateRequest('route', undefined)
  server.decorateRequest('errorCode', undefined)
  server.decorateRequest('contentType', undefined)
  server.decorateRequest('hasKeyInUrl', false)
  server.decorateRequest('isStreamed', false)
  traceRequests(server, app)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.setErrorHandler(sendError)
  const notFound = limitAnonymousRequests(anonymousLimiter, {
    path: '*',
    method: 'GET',
    name: 'none',
    handle: async () => {
      throw new ApiError('NOT_FOUND')
    },
  })
  server.setNotFoundHandler((request, reply) => notFound.handle(request, reply))
  const stalled = new StalledConnections(stallMs, (socket) => sendTooSlow(socket, security))
  server.addHook('onClose', (_instance, done) => {
    stalled.stop()
    done()
  })
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
    stalled.watch(request, reply.raw)
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    recordRequest(app, request, reply)
    done()
  })

  const served = routes.map((route) => limitAnonymousRequests(anonymousLimiter, route))
  for (const [path, methods] of groupByPath(served)) server.all(path, dispatch(methods))
  return server
}

function requestId(requestIdHeader: string | string[] | undefined): string {
  return typeof requestIdHeader === 'string' && /^[\w.-]{1,64}$/.test(requestIdHeader)
    ? requestIdHeader
    : `${requestIdPrefix}-${(requests++).toString(36)}`
}

/**
 * Random per process; together with a counter it makes unique ids, which are cheaper than a random id per
 * request.
 */
const requestIdPrefix = randomBytes(9).toString('base64url')
let requests = 0

function recordRequest(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { endpointName: endpoint, account, route, errorCode: code } = request
  const { statusCode: status, elapsedTime } = reply
  requestHistogram(app.metrics, endpoint, status).observe(elapsedTime / 1000)
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
      trace_id: request.span?.traceId,
      ip: request.ip,
    },
    'request',
  )
  if (status < 500 && account) request.server.outages.succeeded()
}

const counters = new WeakMap<Metrics, Map<string, Histogram.Internal<'endpoint' | 'status'>>>()

/**
 * Returns a cached histogram with these labels, because looking up labels costs more than observing a value.
 */
function requestHistogram(metrics: Metrics, endpoint: string, status: number) {
  const counterByRoute = counters.get(metrics) ?? new Map()
  counters.set(metrics, counterByRoute)
  const key = `${endpoint} ${status}`
  const counter = counterByRoute.get(key) ?? metrics.requests.labels(endpoint, String(status))
  counterByRoute.set(key, counter)
  return counter
}
