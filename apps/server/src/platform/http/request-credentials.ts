import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller, Credentials } from '../actor.ts'
import { readQuery } from './arguments.ts'
import { readBasicAuthorization } from './basic-authorization.ts'
import { readKey } from './key-credentials.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Reads the credentials of a request: the `Authorization` header, else the cookie of a session.
 * Throws `CROSS_ORIGIN` where a request with a session would change something and was not made by a
 * page of the organization. Throws `NOT_LOGGED_IN` where there are no credentials.
 */
export function readRequestCredentials(caller: Caller, request: FastifyRequest): Credentials {
  const { headers, method } = request
  const session = headers.authorization ? undefined : readSessionCookie(caller, headers)
  if (!session) return readBasicAuthorization(headers.authorization)
  if (method !== 'GET' && method !== 'HEAD') refuseForeignOrigin(caller, headers)
  else if (isForeignFetch(request)) throw new ApiError('NOT_LOGGED_IN')
  return session
}

/**
 * Throws unless a page of the organization made the request. Browsers say so in `Sec-Fetch-Site`,
 * or without https in `Origin`. Organizations are sibling subdomains, so `same-site` is foreign too.
 */
export function refuseForeignOrigin({ origin }: Pick<Caller, 'origin'>, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin'
  if (!isOwn) throw new ApiError('CROSS_ORIGIN')
}

/**
 * Whether a page of another site reads data with the cookie. A link to a file or page may be
 * followed from anywhere.
 */
function isForeignFetch({ raw: { url = '' }, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== 'cross-site' && site !== 'same-site') return false
  return url.startsWith('/api/') || headers['sec-fetch-mode'] !== 'navigate'
}

/**
 * Reads the credentials of a request for a file: like `readRequestCredentials`, or from `api_key` in
 * the URL for viewers that send no `Authorization` header.
 */
export function readFileCredentials(caller: Caller, request: FastifyRequest): Credentials {
  const key = readQuery(request.raw).get('api_key')
  if (request.headers.authorization !== undefined || typeof key !== 'string')
    return readRequestCredentials(caller, request)
  return readKey(key)
}
