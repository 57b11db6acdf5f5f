import { ApiError } from '@oxbow/contract'
import { type Listener, noRecords, type Queue } from '../events/delivery/queue.ts'
import { type LoadedByRecord, nothingLoaded } from '../events/delivery/render.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { findKeyObjection, type KeyObjection } from '../identity/authenticate.ts'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { EventStream } from '../platform/event-stream.ts'
import { answerOf, type Events, type PollAnswer, takeFound } from './answer.ts'
import { heartbeats, isExemptFromHeartbeats } from './heartbeat.ts'

export interface Poll {
  app: App
  organization: OrganizationLog
  queue: Queue
  cursor: number
  actor: Actor
}

/** The request that waits for an answer. */
export interface Asker {
  resolve(answer: PollAnswer | EventStream): void
  reject(error: unknown): void
}

/**
 * Waits until the first event, a heartbeat, another poll of the same queue, or its end. There may be tens of thousands
 * of these, so it is one small object each.
 */
export class WaitingPoll implements Listener {
  readonly cursor: number
  readonly #app: App
  readonly #organization: OrganizationLog
  readonly #queue: Queue
  readonly #actor: Actor
  readonly #asker: Asker
  /** When its heartbeat is due; none where it is 0. */
  readonly #due: number
  /** What its events need beyond their records; a promise while that is being read. */
  #held: LoadedByRecord | Promise<LoadedByRecord> = nothingLoaded

  constructor({ app, organization, queue, cursor, actor }: Poll, asker: Asker) {
    this.cursor = cursor
    this.#app = app
    this.#organization = organization
    this.#queue = queue
    this.#actor = actor
    this.#asker = asker
    this.#due = isExemptFromHeartbeats(actor.client) ? 0 : heartbeats.join(this)
  }

  /** From now on; with what was found before and can wait for its round. */
  listen(unhurried = noRecords): void {
    const queue = this.#queue
    queue.listenerGeneration++
    queue.listener?.end()
    queue.pendingRecords = unhurried
    queue.listener = this
    this.#organization.listening.add(queue)
    if (unhurried.length > 0) this.#organization.wakeDeferred(queue)
    // The key may have changed between the request's arrival and now.
    this.recheck()
  }

  recheck(): void {
    const objection = findKeyObjection(this.#app, this.#actor)
    if (objection) void this.#leaveIf(objection)
  }

  async #leaveIf(asked: KeyObjection | Promise<KeyObjection | undefined>): Promise<void> {
    // While PostgreSQL is away nobody can tell, and nothing is told either.
    const objection = await Promise.resolve(asked).catch(() => undefined)
    if (!objection || this.#queue.listener !== this) return
    // The last thing that an organization tells is that it is deactivated.
    if (objection === 'ORGANIZATION_DEACTIVATED' && this.#queue.pendingRecords.length > 0) this.wake()
    if (this.#queue.listener === this) this.end(new ApiError(objection))
  }

  wake(): void {
    // It wakes again when that is there.
    if (this.#held instanceof Promise) return
    try {
      const taken = takeFound(this.#app, this.#organization, this.#queue, this.cursor, this.#held)
      if (taken instanceof Promise) {
        void this.#wakeAfter(taken)
        return
      }
      // It may be large, and may have become no event for this queue.
      this.#held = nothingLoaded
      if (taken.length > 0) this.#answer(taken)
      else if (this.#queue.pendingRecords.length > 0) this.#organization.wakeSoon(this.#queue)
    } catch (error) {
      // What cannot be rendered fails this request and no other.
      this.#fail(error)
    }
  }

  /** Until then what was found stays with the queue, so neither a heartbeat nor a newer poll can pass it over. */
  async #wakeAfter(loading: Promise<LoadedByRecord>): Promise<void> {
    this.#held = loading
    try {
      this.#held = await loading
      if (this.#queue.listener === this) this.#organization.wakeSoon(this.#queue)
    } catch (error) {
      if (this.#queue.listener === this) this.#fail(error)
    }
  }

  end(error?: ApiError): void {
    if (error) this.#fail(error)
    else this.#answer([])
  }

  /** Everything up to the position was looked at, and nothing was for this queue. */
  beat(): void {
    // Its turn came after something else.
    if (this.#queue.listener !== this) return
    // What was found while it waited for its turn must not be passed over.
    if (this.#queue.pendingRecords.length > 0) {
      this.wake()
      return
    }
    const id = Math.max(this.#organization.position, this.cursor)
    this.#queue.answeredTo = id
    this.#queue.scannedTo = id
    this.#answer([{ id, json: `{"type":"heartbeat","id":${id}}` }])
  }

  #answer(events: Events): void {
    this.#leave()
    this.#asker.resolve(answerOf(this.#queue, events))
  }

  #fail(error: unknown): void {
    this.#leave()
    this.#asker.reject(error)
  }

  #leave(): void {
    heartbeats.leave(this, this.#due)
    if (this.#queue.listener !== this) return
    this.#queue.listener = undefined
    this.#organization.listening.delete(this.#queue)
  }
}
