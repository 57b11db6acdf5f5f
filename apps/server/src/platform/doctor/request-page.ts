import { setTimeout } from 'node:timers/promises'
import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Config } from '../config/settings.ts'
import { isTrustedProxy } from '../http/host.ts'
import type { Page } from '../http/http-server.ts'
import { readQuery } from '../http/request-input.ts'
import { findLogId } from './find-log-id.ts'
import { isRequestToken, tokenHeader } from './request-token.ts'

/** A request as the node received it, after passing through proxies. */
export interface ReceivedRequest {
  /** The id of the event log of the node that received the request. */
  logId?: string | undefined
  /** The address that connected to the node. */
  address: string
  /** Whether that address is one of `trusted_proxies`. */
  isTrusted: boolean
  host?: string | undefined
  forwardedHost?: string | undefined
  forwardedFor?: string | undefined
  forwardedProto?: string | undefined
}

/** Longer than any client waits for events. */
const maxWaitSeconds = 300

/**
 * Describes a request of `oxbow doctor` as this node received it; any other request gets 404. With the parameter
 * `wait`, answers after so many seconds, or when the node stops.
 */
export function requestPage({ config, secrets, db }: App, readiness: { readonly accepting: boolean }): Page {
  return {
    path: '/doctor',
    name: 'doctor',
    anonymousLimit: 'never',
    handle: async (request, reply) => {
      if (!isRequestToken(secrets, request.headers[tokenHeader])) throw new ApiError('NOT_FOUND')
      const seconds = Number(readQuery(request.raw).get('wait') ?? 0)
      if (seconds > 0)
        await wait(Math.min(seconds, maxWaitSeconds), () => readiness.accepting && !reply.raw.closed)
      return reply.header('cache-control', 'no-store').send({
        ...describeRequest(config, request),
        logId: await findLogId(db),
      })
    },
  }
}

/** Waits as long as the condition holds. */
async function wait(seconds: number, isWanted: () => boolean): Promise<void> {
  const until = performance.now() + seconds * 1_000
  for (let left = seconds * 1_000; left > 0 && isWanted(); left = until - performance.now())
    await setTimeout(Math.min(left, 250))
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
