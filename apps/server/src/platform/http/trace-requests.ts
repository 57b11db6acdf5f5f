import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Span } from '../observe/tracing/tracing.ts'
import { isTrustedProxy } from './host.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request; undefined if it is not traced. */
    span: Span | undefined
  }
}

/** Routes that load balancers and monitoring request all the time. */
const untracedRoutes = new Set(['/health', '/ready', '/metrics'])

/**
 * Begins a span for every request, if this node is traced. The rest of the request, including later hooks,
 * runs as a part of the span. Only a trusted proxy can name the trace that a request belongs to, because the
 * proxy also decides whether the trace is kept.
 */
export function traceRequests(server: FastifyInstance, { config, tracing }: App): void {
  server.decorateRequest('span', undefined)
  if (!tracing) return
  server.addHook('onRequest', (request, { raw }, done) => {
    if (untracedRoutes.has(request.routeOptions.url ?? '')) return done()
    const isProxy = isTrustedProxy(config, request.raw.socket.remoteAddress)
    const { traceparent, tracestate }: IncomingHttpHeaders = isProxy ? request.headers : {}
    const span = tracing.beginRequest({
      method: request.method,
      traceparent: oneValue(traceparent),
      tracestate: oneValue(tracestate),
    })
    request.span = span
    // Unlike the hook `onResponse`, this event also follows when the client disconnects.
    raw.once('close', () => {
      if (raw.writableFinished) return endSpan(request, raw.statusCode)
      span.set('error.type', 'client_disconnected')
      endSpan(request)
    })
    tracing.runIn(span, done)
  })
}

const oneValue = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header

/** Ends the span of a request, named by its method and the pattern of its path. */
export function endSpan({ span, method, route, errorCode }: FastifyRequest, status?: number): void {
  if (!span) return
  if (route !== undefined) {
    span.rename(`${method} ${route}`)
    span.set('http.route', route)
  }
  if (status !== undefined) span.set('http.response.status_code', status)
  if (errorCode !== undefined) span.set('oxbow.error_code', errorCode)
  if (status !== undefined && status >= 500) span.fail(errorCode ?? String(status))
  span.end()
}
