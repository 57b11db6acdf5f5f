import type { RawValue } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../actor.ts'
import type { App } from '../app.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Config } from '../config/settings.ts'
import { resolveRequest } from './host.ts'
import { refuseForeignOrigin } from './request-credentials.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Describes the origin of a request, before its account is known. */
export function readCaller({ config }: Pick<App, 'config'>, request: FastifyRequest): Caller {
  const userAgent = request.headers['user-agent']
  return {
    ...resolveRequest(config, request),
    address: request.ip,
    client: clientName(undefined, userAgent),
    ...readLegacyNames(config, userAgent),
  }
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
export interface LegacyNames {
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
export function readLegacyNames(config: Config, userAgent = ''): LegacyNames {
  const setting = config['compat.legacy_names']
  if (setting !== 'auto') return { legacyNames: setting === 'always', legacyVersions: setting === 'always' }
  return {
    legacyNames: /^zulip/i.test(userAgent),
    legacyVersions: userAgent !== '' && !nonLegacy.test(userAgent),
  }
}
