import { ApiError, BotType } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor, Credentials } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { readQuery } from '../platform/http/arguments.ts'
import { readBasicAuthorization } from '../platform/http/basic-authorization.ts'
import { clientName, readLegacyNames } from '../platform/http/client-name.ts'
import { resolveRequest } from '../platform/http/host.ts'
import { readKey } from '../platform/http/key-credentials.ts'
import { authenticate } from './authenticate.ts'

/**
 * Authenticates a request for a file: by the `Authorization` header or, for viewers that send none,
 * `api_key` in the URL.
 */
export async function authenticatePage(app: App, request: FastifyRequest): Promise<Actor> {
  const userAgent = request.headers['user-agent']
  const caller = {
    ...resolveRequest(app.config, request),
    address: request.ip,
    client: clientName(undefined, userAgent),
    ...readLegacyNames(app.config, userAgent),
  }
  const actor = await authenticate(app, caller, readCredentials(request))
  if (actor.bot_type === BotType.incomingWebhook) throw new ApiError('CLOSED_TO_WEBHOOK_BOTS')
  request.account = actor
  return actor
}

function readCredentials({ raw, headers: { authorization } }: FastifyRequest): Credentials {
  const key = readQuery(raw).get('api_key')
  if (authorization !== undefined || typeof key !== 'string') return readBasicAuthorization(authorization)
  return readKey(key)
}
