import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { whyUnavailable } from '../database/database-away.ts'
import { FailureLog } from '../failure-log.ts'
import { whyStorageRefuses } from '../files/storage-full.ts'
import type { Log } from '../log.ts'

const outages = new WeakMap<FastifyBaseLogger, FailureLog>()

/**
 * Logs why a request was answered with 503. An outage is logged when it begins, for each reason, and when it is over; what
 * concerns one statement, like a lock that was not released in time, is logged for each request.
 */
export function logUnavailable(thrown: unknown, request: FastifyRequest): void {
  const { log, id: request_id, endpointName: endpoint } = request
  const storage = whyStorageRefuses(thrown)
  const why = storage ? { reason: storage, isOutage: true } : whyUnavailable(thrown)
  if (!why) return
  const { reason, isOutage } = why
  if (isOutage) failuresOf(log).failed(thrown, { request_id, endpoint, reason })
  else log.warn({ request_id, endpoint, err: thrown }, `a request was refused with 503: ${reason}`)
}

/** Called for requests that were served: once no request failed for a while, the outage is over. */
export function noteServed(log: FastifyBaseLogger): void {
  outages.get(log)?.succeeded()
}

function failuresOf(log: FastifyBaseLogger): FailureLog {
  const known = outages.get(log)
  if (known) return known
  const made = new FailureLog(log as Log, {
    failed: 'requests are refused with 503',
    recovered: 'requests are served again',
    quietMs: 10_000,
  })
  outages.set(log, made)
  return made
}
