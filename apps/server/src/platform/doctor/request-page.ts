import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Config } from '../config/settings.ts'
import { isTrustedProxy } from '../http/host.ts'
import type { Page } from '../http/http-server.ts'
import type { ReceivedRequest } from './evaluate-request.ts'
import { findLogId } from './find-log-id.ts'
import { isRequestToken, tokenHeader } from './request-token.ts'

/** Describes a request of `oxbow doctor` as this node received it; any other request gets 404. */
export function requestPage({ config, secrets, db }: App): Page {
  return {
    path: '/doctor',
    name: 'doctor',
    anonymousLimit: 'never',
    handle: async (request, reply) => {
      if (!isRequestToken(secrets, request.headers[tokenHeader])) throw new ApiError('NOT_FOUND')
      return reply.header('cache-control', 'no-store').send({
        ...describeRequest(config, request),
        logId: await findLogId(db),
      })
    },
  }
}

function describeRequest(config: Config, { headers, raw }: FastifyRequest): ReceivedRequest {
  const address = raw.socket.remoteAddress ?? ''
  const header = (name: string) => headers[name]?.toString()
  return {
    address,
    isTrusted: isTrustedProxy(config, address),
    host: header('host'),
    forwardedHost: header('x-forwarded-host'),
    forwardedFor: header('x-forwarded-for'),
    forwardedProto: header('x-forwarded-proto'),
  }
}
