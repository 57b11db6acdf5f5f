import { randomUUID } from 'node:crypto'
import { ApiError } from '@oxbow/contract'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Actor } from '../actor.ts'
import { answerError, answerUnreadable } from './answer-error.ts'
import type { Bound } from './bind.ts'
import { type EndpointContext, type Handler, serveEndpoint } from './serve-endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once that is known; for the log. */
    account: Actor | null
    /** The endpoint's name, for log and metrics. */
    endpointName: string
    /** What the body says it is. Fastify would refuse what it does not know, before anyone is asked who they are. */
    contentType: string | undefined
  }
}

/** A page outside the API: reference, health. */
export interface Page {
  path: string
  method?: 'GET' | 'POST'
  name: string
  handle: Handler
}

export function buildHttpServer(
  context: EndpointContext,
  endpoints: Bound[],
  pages: Page[],
): FastifyInstance {
  const server = fastify({
    loggerInstance: context.app.log as FastifyBaseLogger,
    logController: new fastify.LogController({ disableRequestLogging: true }),
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
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.setErrorHandler(answerError)
  server.setNotFoundHandler((request, reply) => answerError(new ApiError('NOT_FOUND'), request, reply))
  server.addHook('onRequest', (request, reply, done) => {
    request.contentType = request.raw.headers['content-type']
    delete request.raw.headers['content-type']
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    observe(context, request, reply)
    done()
  })

  for (const [path, methods] of groupByPath(endpoints)) {
    server.all(routerPath(path), dispatch(context, methods))
  }
  for (const page of pages) servePage(server, page, pages)
  return server
}

function servePage(server: FastifyInstance, page: Page, pages: Page[]): void {
  const { path: url, method = 'GET', name, handle } = page
  server.route({
    url,
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    handler: async (request, reply) => {
      request.endpointName = name
      return handle(request, reply)
    },
  })
  const served = pages.filter((other) => other.path === url).map((other) => other.method ?? 'GET')
  if (pages.find((other) => other.path === url) !== page) return
  const allowed_methods = served.includes('GET') ? [...served, 'HEAD'] : served
  const others = usualOrder.filter((each) => !served.includes(each as 'GET'))
  const handler = async () => Promise.reject(new ApiError('METHOD_NOT_ALLOWED', { allowed_methods }))
  server.route({ url, method: others as 'GET'[], handler })
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
}

function groupByPath(endpoints: Bound[]): Map<string, Map<string, Bound>> {
  const paths = new Map<string, Map<string, Bound>>()
  for (const bound of endpoints) {
    const methods = paths.get(bound.endpoint.path) ?? new Map<string, Bound>()
    methods.set(bound.endpoint.method, bound)
    paths.set(bound.endpoint.path, methods)
  }
  return paths
}

/** `/users/{user_id}` → `/users/:user_id(^[0-9]+$)`: anything but digits is another path, so a 404. */
function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1(^[0-9]+$)')
}

const usualOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** One route a path: so that a wrong method is told from an unknown path before anything else is looked at. */
function dispatch(context: EndpointContext, methods: Map<string, Bound>): Handler {
  const declared = usualOrder.filter((method) => methods.has(method))
  const allowed = declared.includes('GET') ? [...declared, 'HEAD'] : declared
  const handlers = new Map(
    [...methods].map(([method, bound]) => [
      method,
      { name: bound.name, handle: serveEndpoint(context, bound) },
    ]),
  )
  return async (request, reply) => {
    const found = handlers.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (found) {
      request.endpointName = found.name
      return found.handle(request, reply)
    }
    if (request.method === 'OPTIONS')
      return reply
        .code(204)
        .header('allow', [...allowed].sort().join(', '))
        .send()
    throw new ApiError('METHOD_NOT_ALLOWED', { allowed_methods: allowed })
  }
}

function observe({ app }: EndpointContext, request: FastifyRequest, reply: FastifyReply): void {
  const { endpointName: endpoint, account } = request
  const { statusCode: status, elapsedTime } = reply
  app.metrics.requests.observe({ endpoint, status }, elapsedTime / 1000)
  request.log.info(
    {
      endpoint,
      method: request.method,
      status,
      ms: Math.round(elapsedTime * 10) / 10,
      ...(account && { user_id: account.user_id, organization_id: account.organization_id }),
    },
    'request',
  )
}
