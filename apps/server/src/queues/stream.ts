import { ApiError } from '@oxbow/contract'
import type { Queue } from '../events/delivery/queue.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import type { App } from '../platform/app.ts'
import type { StreamedEvent } from '../platform/event-stream.ts'
import { lookFor } from './answer.ts'

export interface StreamRequest {
  app: App
  organization: OrganizationLog
  queue: Queue
  cursor: number
  signal: AbortSignal
}

/** Often enough for proxies that cut silent connections after half a minute. */
const keepAliveEvery = 25_000

/**
 * The queue's events one after another, until the client leaves. It reads on from where the client is each time, so
 * one that reads slowly holds no memory here.
 */
export async function* streamEvents(request: StreamRequest): AsyncGenerator<StreamedEvent> {
  const { app, organization, queue, signal } = request
  let { cursor } = request
  const turn = ++queue.turn
  const { keys } = queue.account
  queue.listener?.end()
  while (!signal.aborted && queue.turn === turn) {
    // Nobody told us while we did not listen.
    if (queue.account.keys !== keys) throw new ApiError('INVALID_API_KEY')
    const arrival = listen(organization, queue, cursor, signal)
    try {
      const events = await lookFor(app, organization, queue, cursor)
      if (events.length === 0) {
        const ended = await arrival.promise
        if (ended === 'superseded') return
        if (ended) throw ended
      }
      // A client that reads slowly must not make us collect what comes meanwhile.
      arrival.stop()
      for (const { id, json } of events) {
        yield { id, data: json }
        cursor = id
      }
      // Everything up to the position was looked at: whoever comes again need not look at it again.
      if (arrival.isQuiet()) {
        cursor = Math.max(cursor, organization.position)
        yield { id: cursor }
      }
    } finally {
      arrival.stop()
    }
  }
}

interface Arrival {
  /** Undefined when there may be something, or nothing came for a while. */
  promise: Promise<ApiError | 'superseded' | undefined>
  isQuiet(): boolean
  stop(): void
}

/** Listen first, read second: what lands between the two must still wake us. */
function listen(organization: OrganizationLog, queue: Queue, cursor: number, signal: AbortSignal): Arrival {
  const { promise, resolve } = Promise.withResolvers<ApiError | 'superseded' | undefined>()
  let isQuiet = false
  const wake = () => resolve(undefined)
  const listener = { cursor, wake, end: (error?: ApiError) => resolve(error ?? 'superseded') }
  const timer = setTimeout(() => {
    isQuiet = true
    resolve(undefined)
  }, keepAliveEvery)
  signal.addEventListener('abort', wake)
  queue.found = []
  queue.listener = listener
  organization.listening.add(queue)
  return {
    promise,
    isQuiet: () => isQuiet,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      queue.found = []
      if (queue.listener !== listener) return
      queue.listener = undefined
      organization.listening.delete(queue)
    },
  }
}
