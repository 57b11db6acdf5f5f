import type { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import { hasSessionCookie } from './session-cookie.ts'

/**
 * Returns the body of an error response. Adds ignored parameters, because a "missing" one may have
 * been sent under a wrong name, and for sessions the name of the error: many errors share a code,
 * and the web client translates them by name.
 */
export function errorBody({ body, errorName }: ApiError, request: FastifyRequest): object {
  const { ignoredParameters } = request
  return {
    ...body,
    ...(isBySession(request) && { name: errorName }),
    ...(ignoredParameters && { ignored_parameters_unsupported: ignoredParameters }),
  }
}

/** Whether the request has the cookie of a session, valid or not, and no key, which would take precedence. */
function isBySession({ headers, hasKeyInUrl }: FastifyRequest): boolean {
  return headers.authorization === undefined && !hasKeyInUrl && hasSessionCookie(headers)
}
