import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { explainUnavailability } from '../database/database-unavailable.ts'
import { FailureLog } from '../failure-log.ts'
import { explainStorageRefusal } from '../files/storage-refusal.ts'
import type { Log } from '../log.ts'

const outages = new WeakMap<FastifyBaseLogger, FailureLog>()

/**
 * Logs why a request got 503. An outage is logged once per reason when it begins, and when it is
 * over; a failure of one statement, such as a lock timeout, is logged for each request.
 */
export function logUnavailable(thrown: unknown, request: FastifyRequest): void {
  const { log, id: request_id, endpointName: endpoint } = request
  const storage = explainStorageRefusal(thrown)
  const unavailability = storage ? { reason: storage, isOutage: true } : explainUnavailability(thrown)
  if (!unavailability) return
  const { reason, isOutage } = unavailability
  if (isOutage) failuresOf(log).failed(thrown, { request_id, endpoint, reason })
  else log.warn({ request_id, endpoint, err: thrown }, `a request was refused with 503: ${reason}`)
}

/**
 * Reports that a request was served. The outage is regarded as over once no request has failed for a while.
 */
export function reportServed(log: FastifyBaseLogger): void {
  outages.get(log)?.succeeded()
}

function failuresOf(log: FastifyBaseLogger): FailureLog {
  const cached = outages.get(log)
  if (cached) return cached
  const failureLog = new FailureLog(log as Log, {
    failed: 'requests are refused with 503',
    recovered: 'requests are served again',
    quietMs: 10_000,
  })
  outages.set(log, failureLog)
  return failureLog
}
