import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorDeclaration, errors } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { explainUnavailability, isDatabaseUnavailable } from '../database/database-unavailable.ts'
import { explainStorageRefusal } from '../files/storage-refusal.ts'
import { html } from '../html.ts'
import { prefersJson } from './accepts.ts'
import { errorBody } from './error-body.ts'
import { sendErrorPage, wantsPage } from './error-page.ts'
import { hasSessionCookie } from './session-cookie.ts'

type HeadersOf = (error: ApiError, request: FastifyRequest) => Record<string, string>

const errorHeaders: Partial<Record<number, HeadersOf>> = {
  401: (_, request) =>
    request.hasKeyInUrl
      ? ({} as Record<string, string>)
      : {
          'www-authenticate': `${isProgram(request) ? 'Basic' : 'Session'} realm="chat"`,
          ...(isOwnPageWithSession(request) && clearCache),
        },
  403: (error, request) => (error.is('OTHER_ACCOUNT') && isOwnPageWithSession(request) ? clearCache : {}),
  405: (error) => ({ allow: (error.body.allowed_methods as string[]).join(', ') }),
  429: (error) => ({ 'retry-after': String(error.body['retry-after']) }),
  503: () => ({ 'retry-after': '5' }),
}

/** Makes a browser delete its copies of pictures and files, which were fetched with the refused session. */
const clearCache: Record<string, string> = { 'clear-site-data': '"cache"' }

/** Whether a page of this organization sent a session. Other sites must not be able to clear the cache. */
function isOwnPageWithSession({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return headers.authorization === undefined && site === 'same-origin' && hasSessionCookie(headers)
}

/**
 * Sends any thrown value as an error envelope, or to browsers as a page. Only unexpected errors are logged.
 */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asApiError(thrown)
  request.errorCode = String(error.body.code)
  if (error.is('INTERNAL_ERROR'))
    request.log.error({ request_id: request.id, err: thrown }, 'unhandled error while serving a request')
  // The rest of the body will not be read.
  const isPartlyRead = error.is('FILE_TOO_LARGE') || request.isStreamed
  const shouldClose = error.is('REQUEST_TOO_LARGE') || (isPartlyRead && !request.raw.complete)
  if (shouldClose) closeSoon(request.raw)
  if (error.status === 503) logUnavailable(thrown, request)
  reply
    .code(error.status)
    .headers({ ...errorHeaders[error.status]?.(error, request), ...(shouldClose && { connection: 'close' }) })
  if (wantsPage(request)) return sendErrorPage(error, request, reply)
  if (isSentAsHtml(error, request))
    return reply.type('text/html; charset=utf-8').send(String(html`<p>${error.message}</p>`))
  return reply.type('application/json').send(`${JSON.stringify(errorBody(error, request))}\n`)
}

/**
 * Logs why a request got 503. An outage is logged once per reason when it begins, and when it is
 * over; a failure of one statement, such as a lock timeout, is logged for each request.
 */
function logUnavailable(thrown: unknown, request: FastifyRequest): void {
  const { log, server, id: request_id, endpointName: endpoint } = request
  const storage = explainStorageRefusal(thrown)
  const unavailability = storage ? { reason: storage, isOutage: true } : explainUnavailability(thrown)
  if (!unavailability) return
  const { reason, isOutage } = unavailability
  if (isOutage) server.outages.failed(thrown, { request_id, endpoint, reason })
  else log.warn({ request_id, endpoint, err: thrown }, `a request was refused with 503: ${reason}`)
}

/**
 * Whether the request comes from a program, to which `WWW-Authenticate: Basic` may be sent. That header would
 * make a browser ask its user for a password, for instance for a picture on a page, or when the session of a
 * page has ended.
 */
function isProgram({ url, headers }: FastifyRequest): boolean {
  const isBrowser = headers['sec-fetch-site'] !== undefined || hasSessionCookie(headers)
  return url.startsWith('/api/') && !isBrowser && !/^mozilla\//i.test(headers['user-agent'] ?? '')
}

function isSentAsHtml({ errorName }: ApiError, { headers }: FastifyRequest): boolean {
  const declaration: ErrorDeclaration = errors[errorName]
  return declaration.asHtml === true && !prefersJson(headers.accept)
}

/**
 * Closes the connection after two seconds, so that a client that is still sending can read the
 * error first.
 */
function closeSoon(request: IncomingMessage): void {
  const { socket } = request
  request.removeAllListeners('data')
  request.resume()
  setTimeout(() => socket.destroy(), 2_000).unref()
}

const clientErrors: Record<string, 'HEADERS_TOO_LARGE' | 'REQUEST_TOO_SLOW'> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
}

/** Sends an error for a request that takes too long to arrive, and closes the connection. */
export function sendTooSlow(socket: Socket, headers: Readonly<Record<string, string>>): void {
  const error = Object.assign(new Error('the request took too long to arrive'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })
  sendUnreadableError(error, socket, headers)
}

/**
 * Sends an error envelope for bytes that Node cannot parse as HTTP, which never become a request.
 */
export function sendUnreadableError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, body } = new ApiError(clientErrors[error.code ?? ''] ?? 'UNREADABLE_REQUEST')
  const text = `${JSON.stringify(body)}\n`
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  socket.destroy(error)
}

function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (isDatabaseUnavailable(thrown)) return new ApiError('SERVICE_UNAVAILABLE')
  if (explainStorageRefusal(thrown)) return new ApiError('STORAGE_UNAVAILABLE')
  // Fastify itself throws errors with a status code, for instance for an undecodable path.
  const { statusCode, code } = thrown as { statusCode?: number; code?: string }
  if (statusCode === 404 || statusCode === 414 || code === 'FST_ERR_BAD_URL') return new ApiError('NOT_FOUND')
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError('UNREADABLE_REQUEST')
  return new ApiError('INTERNAL_ERROR')
}
