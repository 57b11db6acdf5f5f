import { ApiError } from '@oxbow/contract'
import { type Listener, noRecords, type Queue } from '../events/delivery/queue.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { findKeyObjection, type KeyObjection } from '../identity/authenticate.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { StreamedEvent } from '../platform/event-stream.ts'
import { lookFor } from './answer.ts'

export interface StreamRequest {
  app: App
  actor: Actor
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
  const { queue } = request
  const turn = ++queue.listenerGeneration
  queue.listener?.end()
  queue.openStreamCount++
  try {
    yield* follow(request, turn)
  } finally {
    queue.openStreamCount--
  }
}

async function* follow(request: StreamRequest, turn: number): AsyncGenerator<StreamedEvent> {
  const { app, actor, organization, queue, signal } = request
  let { cursor } = request
  let keys = -1
  while (!signal.aborted && queue.listenerGeneration === turn && !queue.isDetached) {
    const arrival = listen(organization, queue, cursor, signal)
    try {
      // The key may have changed before we listened, or while we were busy sending.
      let objection: KeyObjection | undefined
      if (queue.account.keyGeneration !== keys) {
        keys = queue.account.keyGeneration
        objection = await findKeyObjection(app, actor)
        if (objection === 'INVALID_API_KEY') throw new ApiError(objection)
      }
      const events = await lookFor(app, organization, queue, cursor)
      // The client connects again, and the queue is loaded anew.
      if (!events) return
      const outcome = events.length === 0 && !objection ? await arrival.promise : 'busy'
      if (outcome === 'superseded') return
      if (outcome instanceof ApiError) throw outcome
      // Listening up to now, with nothing found: everything up to the position was looked at.
      const isIdle =
        outcome === 'quiet' && queue.pendingRecords.length === 0 && queue.listenerGeneration === turn
      // A client that reads slowly must not make us collect what comes meanwhile.
      arrival.stop()
      for (const { id, json } of events) {
        yield { id, data: json }
        cursor = id
      }
      // The last thing that an organization tells is that it is deactivated.
      if (objection) throw new ApiError(objection)
      if (isIdle) {
        cursor = Math.max(cursor, organization.position)
        yield { id: cursor }
      }
    } finally {
      arrival.stop()
    }
  }
}

/** Woken: there may be something. Quiet: there was nothing for a while. */
type Outcome = 'woken' | 'quiet' | 'superseded' | ApiError

interface Arrival {
  promise: Promise<Outcome>
  stop(): void
}

/** Listen first, read second: what lands between the two must still wake us. */
function listen(organization: OrganizationLog, queue: Queue, cursor: number, signal: AbortSignal): Arrival {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const wake = () => resolve('woken')
  const listener: Listener = {
    cursor,
    wake,
    recheck: wake,
    end: (error) => resolve(error ?? 'superseded'),
  }
  const timer = setTimeout(resolve, keepAliveEvery, 'quiet')
  signal.addEventListener('abort', wake)
  queue.pendingRecords = noRecords
  queue.listener = listener
  organization.listening.add(queue)
  return {
    promise,
    stop() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
      if (queue.listener !== listener) return
      queue.pendingRecords = noRecords
      queue.listener = undefined
      organization.listening.delete(queue)
    },
  }
}
