import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../database/database-away.ts'
import { whyStorageRefuses } from '../files/storage-full.ts'
import { sendErrorPage, wantsPage } from './error-page.ts'
import { logUnavailable } from './unavailable-log.ts'

type HeadersOf = (error: ApiError, request: FastifyRequest) => Record<string, string>

const headersOf: Partial<Record<number, HeadersOf>> = {
  // Outside the API a browser would ask its user for a password, for nothing but a picture on some page.
  401: (_, { url, hasKeyInUrl }) =>
    hasKeyInUrl
      ? ({} as Record<string, string>)
      : { 'www-authenticate': `${url.startsWith('/api/') ? 'Basic' : 'Session'} realm="chat"` },
  405: (error) => ({ allow: (error.body.allowed_methods as string[]).join(', ') }),
  429: (error) => ({ 'retry-after': String(error.body['retry-after']) }),
  503: () => ({ 'retry-after': '5' }),
}

/** Every refusal and every mistake leaves as an envelope; only mistakes are logged with what went wrong. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asApiError(thrown)
  request.errorCode = String(error.body.code)
  if (error.is('INTERNAL_ERROR'))
    request.log.error({ request_id: request.id, err: thrown }, 'unhandled error while serving a request')
  // The rest of the body is not wanted.
  const isUnwanted = error.is('REQUEST_TOO_LARGE') || (error.is('FILE_TOO_LARGE') && !request.raw.complete)
  if (isUnwanted) leaveSoon(request.raw)
  if (error.status === 503) logUnavailable(thrown, request)
  reply
    .code(error.status)
    .headers({ ...headersOf[error.status]?.(error, request), ...(isUnwanted && { connection: 'close' }) })
  if (wantsPage(request)) return sendErrorPage(error, request, reply)
  return reply.type('application/json').send(`${JSON.stringify(bodyOf(error, request))}\n`)
}

/** A parameter that is missing may be there under a name that is not known. */
function bodyOf({ body }: ApiError, { ignoredParameters }: FastifyRequest): object {
  return ignoredParameters ? { ...body, ignored_parameters_unsupported: ignoredParameters } : body
}

/** Whoever still sends is given a moment to read why they should not; a connection that does not end would hold up a stop. */
function leaveSoon(request: IncomingMessage): void {
  const { socket } = request
  request.resume()
  setTimeout(() => socket.destroy(), 2_000).unref()
}

const unreadable: Record<string, 'HEADERS_TOO_LARGE' | 'REQUEST_TOO_SLOW'> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TOO_SLOW',
}

/** What Node cannot read as HTTP never becomes a request; its sender gets an envelope all the same. */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { status, body } = new ApiError(unreadable[error.code ?? ''] ?? 'UNREADABLE_REQUEST')
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
  if (isDatabaseAway(thrown)) return new ApiError('SERVICE_UNAVAILABLE')
  if (whyStorageRefuses(thrown)) return new ApiError('STORAGE_UNAVAILABLE')
  // Fastify's own refusals: a path with an impossible part in it, or something else that is no request of ours.
  const { statusCode, code } = thrown as { statusCode?: number; code?: string }
  if (statusCode === 404 || statusCode === 414 || code === 'FST_ERR_BAD_URL') return new ApiError('NOT_FOUND')
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError('UNREADABLE_REQUEST')
  return new ApiError('INTERNAL_ERROR')
}
