import { ApiError } from '@oxbow/contract'
import { type Listener, noRecords, type Queue } from '../events/delivery/queue.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { type CredentialError, findCredentialError } from '../identity/authenticate.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { StreamedEvent } from '../platform/event-stream.ts'
import { observeDelivery, readEvents } from './read-events.ts'

export interface StreamRequest {
  app: App
  actor: Actor
  organization: OrganizationLog
  queue: Queue
  cursor: number
  signal: AbortSignal
}

/** Less than the 30 seconds after which some proxies close silent connections. */
const keepAliveMs = 25_000

/**
 * Yields the queue's events until the client disconnects or the queue ends. It continues to read
 * from the last yielded event each time, so a slow client uses no memory here. A heartbeat follows
 * the events that existed when the stream was opened, so that the client knows that it has all.
 */
export async function* streamEvents(request: StreamRequest): AsyncGenerator<StreamedEvent> {
  const { organization, queue } = request
  const generation = organization.replaceListener(queue)
  queue.openStreamCount++
  try {
    yield* streamUntilEnd(request, generation)
  } finally {
    queue.openStreamCount--
  }
}

async function* streamUntilEnd(request: StreamRequest, generation: number): AsyncGenerator<StreamedEvent> {
  const { app, actor, organization, queue, signal } = request
  let { cursor } = request
  let keyGeneration = -1
  let isCaughtUp = false
  while (!signal.aborted && queue.listenerGeneration === generation && !queue.isDetached) {
    const arrival = listen(organization, queue, cursor, signal)
    try {
      // The key or session may have ended before listening began, or while events were sent.
      let credentialError: CredentialError | undefined
      if (queue.account.keyGeneration !== keyGeneration) {
        keyGeneration = queue.account.keyGeneration
        credentialError = await findCredentialError(app, actor)
        if (credentialError && credentialError !== 'ORGANIZATION_DEACTIVATED')
          throw new ApiError(credentialError)
      }
      const events = await readEvents(app, organization, queue, cursor)
      // The client will reconnect, and the queue will be loaded again.
      if (!events) return
      if (events.length === 0 && !isCaughtUp) {
        isCaughtUp = true
        yield { id: cursor }
      }
      const outcome = events.length === 0 && !credentialError ? await arrival.promise : 'busy'
      if (outcome === 'superseded') return
      if (outcome instanceof ApiError) throw outcome
      // The listener was active until now and nothing is pending, so everything up to the position
      // was scanned.
      const isIdle =
        outcome === 'quiet' && queue.pendingRecords.length === 0 && queue.listenerGeneration === generation
      if (outcome === 'woken') observeDelivery(app, queue.pendingRecords)
      // Records must not accumulate in `pendingRecords` while a slow client reads.
      arrival.stop()
      for (const { id, json } of events) {
        yield { id, data: json }
        cursor = id
      }
      // Thrown after the events are sent, because the last event informs clients that the
      // organization is deactivated.
      if (credentialError) throw new ApiError(credentialError)
      if (isIdle) {
        cursor = Math.max(cursor, organization.position)
        yield { id: cursor }
      }
    } finally {
      arrival.stop()
    }
  }
}

/** `woken`: there may be events. `quiet`: there were none for `keepAliveMs`. */
type Outcome = 'woken' | 'quiet' | 'superseded' | ApiError

interface Arrival {
  promise: Promise<Outcome>
  stop(): void
}

/**
 * Starts to listen. Callers must listen before they read, so that a record that arrives in between
 * wakes them.
 */
function listen(organization: OrganizationLog, queue: Queue, cursor: number, signal: AbortSignal): Arrival {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const wake = () => resolve('woken')
  const listener: Listener = {
    cursor,
    wake,
    recheck: wake,
    end: (error) => resolve(error ?? 'superseded'),
  }
  const timer = setTimeout(resolve, keepAliveMs, 'quiet')
  signal.addEventListener('abort', wake)
  organization.listen(queue, listener)
  return {
    promise,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      if (organization.stopListening(queue, listener)) queue.pendingRecords = noRecords
    },
  }
}
