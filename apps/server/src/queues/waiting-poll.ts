import { randomInt } from 'node:crypto'
import { ApiError } from '@oxbow/contract'
import { type Listener, noRecords, type Queue } from '../events/delivery/queue.ts'
import { type LoadedByRecord, nothingLoaded } from '../events/delivery/render.ts'
import { YieldingQueue } from '../events/delivery/yielding-queue.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { type CredentialError, findCredentialError } from '../identity/authenticate.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { EventStream } from '../platform/event-stream.ts'
import { buildPollResponse, type Events, type PollResponse, takePendingEvents } from './read-events.ts'

/** A waiting poll that can get a heartbeat. */
interface HeartbeatTarget {
  sendHeartbeat(): void
}

/** The delay is random for each poll, so that polls do not all end at the same time. */
const delayMs = { min: 45_000, max: 55_000 }
/** Heartbeats that are due within this time share one timer tick. */
const resolutionMs = 250

/** Returns whether this client gets no heartbeats, which it requests by its name. */
function isExemptFromHeartbeats(client: string): boolean {
  return client === 'API: heartbeat test'
}

/**
 * Sends heartbeats to tens of thousands of polls. The polls of each tick are in one set, because a
 * timer for each poll would take several times the memory.
 */
class HeartbeatClock {
  readonly #due = new Map<number, Set<HeartbeatTarget>>()
  readonly #beat = new YieldingQueue<HeartbeatTarget>(
    (poll) => poll.sendHeartbeat(),
    // A poll rejects its own request if an error occurs.
    () => {},
  )
  #timer: NodeJS.Timeout | undefined

  /** Schedules one heartbeat and returns the token for `cancel`. */
  schedule(poll: HeartbeatTarget): number {
    const due = Math.ceil((performance.now() + randomInt(delayMs.min, delayMs.max)) / resolutionMs)
    const polls = this.#due.get(due) ?? new Set()
    this.#due.set(due, polls.add(poll))
    this.#timer ??= setInterval(() => this.#tick(), resolutionMs)
    return due
  }

  cancel(poll: HeartbeatTarget, due: number): void {
    const polls = this.#due.get(due)
    polls?.delete(poll)
    if (polls?.size === 0) this.#due.delete(due)
    if (this.#due.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    const now = performance.now() / resolutionMs
    for (const [due, polls] of this.#due) {
      if (due <= now) for (const poll of polls) this.#beat.add(poll)
    }
  }
}

const heartbeats = new HeartbeatClock()

export interface Poll {
  app: App
  organization: OrganizationLog
  queue: Queue
  cursor: number
  actor: Actor
}

/**
 * The HTTP request that waits for the response. Exactly one of the two functions is called, once.
 */
export interface PendingRequest {
  resolve(response: PollResponse | EventStream): void
  reject(error: unknown): void
}

/**
 * Waits for the first event, a heartbeat, another listener of the same queue, or the end of the
 * queue, and responds to the request. There may be tens of thousands of these objects, so each is
 * small.
 */
export class WaitingPoll implements Listener {
  readonly cursor: number
  readonly #app: App
  readonly #organization: OrganizationLog
  readonly #queue: Queue
  readonly #actor: Actor
  readonly #request: PendingRequest
  /** The token of the poll's heartbeat; 0 if it gets none. */
  readonly #heartbeatDue: number
  /** Data that was loaded for the pending records; a promise while it is being loaded. */
  #loaded: LoadedByRecord | Promise<LoadedByRecord> = nothingLoaded

  constructor({ app, organization, queue, cursor, actor }: Poll, request: PendingRequest) {
    this.cursor = cursor
    this.#app = app
    this.#organization = organization
    this.#queue = queue
    this.#actor = actor
    this.#request = request
    this.#heartbeatDue = isExemptFromHeartbeats(actor.client) ? 0 : heartbeats.schedule(this)
  }

  /**
   * Starts to listen and replaces the queue's current listener. `deferred` contains records that
   * are sent in the next round.
   */
  listen(deferred = noRecords): void {
    this.#organization.replaceListener(this.#queue)
    this.#organization.listen(this.#queue, this, deferred)
    // The key or session may have ended since the request arrived.
    this.recheck()
  }

  recheck(): void {
    const credentialError = findCredentialError(this.#app, this.#actor)
    if (credentialError) void this.#endIfRefused(credentialError)
  }

  async #endIfRefused(reason: CredentialError | Promise<CredentialError | undefined>): Promise<void> {
    // While PostgreSQL is unavailable, access cannot be checked, but no events arrive either.
    const credentialError = await Promise.resolve(reason).catch(() => undefined)
    if (!credentialError || this.#queue.listener !== this) return
    // The pending events are sent before the error, because the last one informs clients that the
    // organization is deactivated.
    if (credentialError === 'ORGANIZATION_DEACTIVATED' && this.#queue.pendingRecords.length > 0) this.wake()
    if (this.#queue.listener === this) this.end(new ApiError(credentialError))
  }

  wake(): void {
    // The poll is woken again when the load ends.
    if (this.#loaded instanceof Promise) return
    try {
      const pending = takePendingEvents(this.#app, this.#organization, this.#queue, this.cursor, this.#loaded)
      if (pending instanceof Promise) {
        void this.#wakeAfter(pending)
        return
      }
      // The data is released, because it may be large and this poll may continue to wait.
      this.#loaded = nothingLoaded
      if (pending.length > 0) this.#respond(pending)
      else if (this.#queue.pendingRecords.length > 0) this.#organization.wakeSoon(this.#queue)
    } catch (error) {
      // If a record cannot be rendered, only this request fails.
      this.#fail(error)
    }
  }

  /**
   * Keeps the records pending during the load, so that neither a heartbeat nor a newer poll can
   * skip them.
   */
  async #wakeAfter(loading: Promise<LoadedByRecord>): Promise<void> {
    this.#loaded = loading
    try {
      this.#loaded = await loading
      if (this.#queue.listener === this) this.#organization.wakeSoon(this.#queue)
    } catch (error) {
      if (this.#queue.listener === this) this.#fail(error)
    }
  }

  end(error?: ApiError): void {
    if (error) this.#fail(error)
    else this.#respond([])
  }

  /**
   * Sends a heartbeat: everything up to the position was scanned, and there was nothing for this
   * queue.
   */
  sendHeartbeat(): void {
    // The poll was finished while the heartbeat waited to be sent.
    if (this.#queue.listener !== this) return
    // Records that arrived meanwhile must be sent instead.
    if (this.#queue.pendingRecords.length > 0) {
      this.wake()
      return
    }
    const id = Math.max(this.#organization.position, this.cursor)
    this.#queue.lastSentEventId = id
    this.#queue.scannedTo = id
    this.#respond([{ id, json: `{"type":"heartbeat","id":${id}}` }])
  }

  #respond(events: Events): void {
    this.#stopListening()
    this.#request.resolve(buildPollResponse(this.#queue, events))
  }

  #fail(error: unknown): void {
    this.#stopListening()
    this.#request.reject(error)
  }

  #stopListening(): void {
    heartbeats.cancel(this, this.#heartbeatDue)
    this.#organization.stopListening(this.#queue, this)
  }
}
