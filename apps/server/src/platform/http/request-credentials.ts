import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller, Credentials, KeyCredentials } from '../actor.ts'
import { BoundedCache } from '../bounded-cache.ts'
import { readQuery } from './request-input.ts'
import { readSessionCookie } from './session-cookie.ts'

/**
 * Reads the credentials of a request: the `Authorization` header, or otherwise the session cookie. Throws
 * `CROSS_ORIGIN` if a request with a session would change something and was not made by a page of the
 * organization. Throws `NOT_LOGGED_IN` if there are no credentials.
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
 * Throws unless a page of the organization made the request. Browsers report this in `Sec-Fetch-Site` or,
 * without https, in `Origin`. Organizations are sibling subdomains, so `same-site` is foreign too.
 */
export function refuseForeignOrigin({ origin }: Pick<Caller, 'origin'>, headers: IncomingHttpHeaders): void {
  const site = headers['sec-fetch-site']
  const isOwn = site === undefined ? headers.origin === origin : site === 'same-origin'
  if (!isOwn) throw new ApiError('CROSS_ORIGIN')
}

/**
 * Whether a page of another site reads data with the session cookie. Links to files and pages may be followed
 * from anywhere.
 */
function isForeignFetch({ raw: { url = '' }, headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site !== 'cross-site' && site !== 'same-site') return false
  return url.startsWith('/api/') || headers['sec-fetch-mode'] !== 'navigate'
}

/**
 * Reads the credentials of a request for a file as `readRequestCredentials` does, or from `api_key` in the
 * URL for clients that cannot send an `Authorization` header.
 */
export function readFileCredentials(caller: Caller, request: FastifyRequest): Credentials {
  const key = readQuery(request.raw).get('api_key')
  if (request.headers.authorization !== undefined || typeof key !== 'string')
    return readRequestCredentials(caller, request)
  return readKey(key)
}

/**
 * Credentials by key. Each key has only one object, because the hash of a key is cached by its credentials
 * object.
 */
const credentialsByKey = new BoundedCache<string, KeyCredentials>(20_000)

/** Reads a key that was given without an e-mail address, in a URL or a form. */
export function readKey(rawKey: string): KeyCredentials {
  const found = credentialsByKey.get(rawKey)
  if (found) return found
  const api_key = rawKey.trim()
  if (!isApiKey(api_key)) throw new ApiError('MALFORMED_API_KEY')
  const credentials = { api_key }
  if (rawKey.length === api_key.length) credentialsByKey.set(rawKey, credentials)
  return credentials
}

/** Parsed headers, cached because clients send the same one with every request. */
const parsedHeaders = new BoundedCache<string, KeyCredentials>(20_000)
/** Longer headers are not cached, so that clients without an account cannot fill the memory. */
const maxCachedLength = 400

/** Parses `Authorization: Basic …`. Throws the error that describes the problem with the header. */
export function readBasicAuthorization(header: string | undefined): KeyCredentials {
  if (!header) throw new ApiError('NOT_LOGGED_IN')
  const cached = parsedHeaders.get(header)
  if (cached) return cached
  const credentials = parse(header)
  if (header.length > maxCachedLength) return credentials
  parsedHeaders.set(header, credentials)
  return credentials
}

function parse(header: string): KeyCredentials {
  const [scheme, encoded, ...more] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'basic') throw new ApiError('NOT_BASIC_AUTHENTICATION')
  const decoded = encoded !== undefined && more.length === 0 ? decodeBase64(encoded) : undefined
  const [email, api_key, ...rest] = decoded?.split(':') ?? []
  if (email === undefined || api_key === undefined || rest.length > 0) {
    throw new ApiError('INVALID_AUTHORIZATION_HEADER')
  }
  const key = api_key.trim()
  if (!isApiKey(key)) throw new ApiError('MALFORMED_API_KEY')
  return { email: email.trim(), api_key: key }
}

export const isApiKey = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text)

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return utf8.decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}
