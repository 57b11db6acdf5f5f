import type { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import { hasSessionCookie } from './session-cookie.ts'

/**
 * Returns the body of an error response. Adds ignored parameters, because a "missing" parameter may have
 * been sent under a wrong name. For sessions it adds the name of the error, because the web client
 * translates errors by name; many errors share a code.
 */
export function errorBody({ body, errorName }: ApiError, request: FastifyRequest): object {
  const { ignoredParameters } = request
  return {
    ...body,
    ...(isBySession(request) && { name: errorName }),
    ...(ignoredParameters && { ignored_parameters_unsupported: ignoredParameters }),
  }
}

/** Whether the request has a session cookie, valid or not, and no API key, which would take precedence. */
function isBySession({ headers, hasKeyInUrl }: FastifyRequest): boolean {
  return headers.authorization === undefined && !hasKeyInUrl && hasSessionCookie(headers)
}
