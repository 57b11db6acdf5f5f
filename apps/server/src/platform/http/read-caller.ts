import type { FastifyRequest } from 'fastify'
import type { Caller } from '../actor.ts'
import type { App } from '../app.ts'
import { clientName, readLegacyNames } from './client-name.ts'
import { resolveRequest } from './host.ts'
import { refuseForeignOrigin } from './request-credentials.ts'
import { readSessionCookie } from './session-cookie.ts'

/** Describes where a request comes from, before it is known which account it has. */
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
 * Adds the browser that signs in. Throws `CROSS_ORIGIN` where another site made the request: nobody
 * must be signed in to a stranger's account.
 */
export function addBrowser(caller: Caller, { headers }: FastifyRequest): Caller {
  refuseForeignOrigin(caller, headers)
  const sessionToken = readSessionCookie(caller, headers)?.session_token
  return { ...caller, browser: { userAgent: headers['user-agent'] ?? '', sessionToken } }
}
