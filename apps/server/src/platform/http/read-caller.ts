import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, generationHeader, type RawValue, readGeneration } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller, Credentials, KeyCredentials } from '../actor.ts'
import type { App } from '../app.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Config } from '../config/settings.ts'
import { resolveRequest } from './host.ts'
import { readQuery } from './request-input.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Describes the origin of a request, before its account is known. */
export function readCaller({ config }: Pick<App, 'config'>, request: FastifyRequest): Caller {
  const userAgent = request.headers['user-agent']
  const expected = request.headers['expected-user-id']
  return {
    ...resolveRequest(config, request),
    address: request.ip,
    client: clientName(undefined, userAgent),
    ...readLegacyNames(config, userAgent),
    generation: readGeneration(request.headers[generationHeader]),
    ...(expected !== undefined && { expectedUserId: Number(expected) }),
  }
}

/** Reads the expected account of an event stream from the URL, because an `EventSource` cannot send headers. */
export function readExpectedUserId({ raw }: FastifyRequest): Pick<Caller, 'expectedUserId'> {
  if (!raw.url?.includes('expected_user_id=')) return {}
  return { expectedUserId: Number(readQuery(raw).get('expected_user_id')) }
}

/**
 * Adds the browser that signs in. Throws `CROSS_ORIGIN` if another site made the request, because that site
 * could sign a person in to an account of its own.
 */
export function addBrowser(caller: Caller, { headers }: FastifyRequest): Caller {
  refuseForeignOrigin(caller, headers)
  const sessionToken = readSessionCookie(caller, headers)?.session_token
  return { ...caller, browser: { userAgent: headers['user-agent'] ?? '', sessionToken } }
}

const maxNameLength = 30

/** Program names by User-Agent, cached because most requests have one of the same few headers. */
const names = new BoundedCache<string, string>(1_000)

function readProductName(userAgent = ''): string {
  const cached = names.get(userAgent)
  if (cached !== undefined) return cached
  // The first word ends at a slash; the words after it also end before a version or a comment.
  const [name = ''] = userAgent.match(/^[^/\s]*[^0-9/(]*/) ?? []
  const short = [...name].slice(0, maxNameLength).join('').trim() || 'Unspecified'
  if (userAgent.length < 300) names.set(userAgent, short)
  return short
}

/**
 * Returns the name of the calling program: its `client` parameter, or otherwise the product name of its
 * User-Agent.
 */
export function clientName(clientParameter: RawValue | undefined, userAgent: string | undefined): string {
  if (typeof clientParameter !== 'string' || clientParameter === '') return readProductName(userAgent)
  // Only a name from the parameter can contain a NUL character; headers cannot.
  return [...clientParameter.replaceAll('\0', '')].slice(0, maxNameLength).join('')
}

/** Decides which names of the older product a response to a program contains. */
interface LegacyNames {
  /**
   * Whether the program was written for the older product: it also sends parameters and reads values by their
   * older names.
   */
  readonly legacyNames: boolean
  /** Whether the program may depend on the older names of the version fields. */
  readonly legacyVersions: boolean
}

/** User-Agents of programs that were certainly not written for the older product. */
const nonLegacy = /^(node|undici|curl|mozilla|oxbow)/i

/**
 * Decides by the User-Agent. Programs built on the older libraries may name themselves anything
 * (`MyScript/2`) and fail at start without the older version fields, so every program gets those fields
 * unless it is known not to need them.
 */
function readLegacyNames(config: Config, userAgent = ''): LegacyNames {
  const setting = config['compat.legacy_names']
  if (setting !== 'auto') return { legacyNames: setting === 'always', legacyVersions: setting === 'always' }
  return {
    legacyNames: /^zulip/i.test(userAgent),
    legacyVersions: userAgent !== '' && !nonLegacy.test(userAgent),
  }
}

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

const isApiKey = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text)

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  try {
    return utf8.decode(Buffer.from(text, 'base64'))
  } catch {
    return undefined
  }
}
