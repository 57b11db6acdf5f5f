import type { ApiError } from '@oxbow/contract'
import type { Listener, Queue } from '../events/delivery/queue.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import type { App } from '../platform/app.ts'
import { type Events, takeFound } from './answer.ts'
import { heartbeatDelay, isExemptFromHeartbeats } from './heartbeat.ts'

export interface Poll {
  app: App
  organization: OrganizationLog
  queue: Queue
  cursor: number
  /** The program that polls. */
  client: string
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
  readonly #timer: NodeJS.Timeout | undefined
  #resolve!: (events: Events) => void
  #reject!: (error: unknown) => void

  constructor({ app, organization, queue, cursor, client }: Poll) {
    this.cursor = cursor
    this.#app = app
    this.#organization = organization
    this.#queue = queue
    if (!isExemptFromHeartbeats(client)) {
      this.#timer = setTimeout(beat, heartbeatDelay(), this)
    }
    queue.turn++
    queue.listener?.end()
    queue.found = []
    queue.listener = this
    organization.listening.add(queue)
  }

  answer(): Promise<Events> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  wake(): void {
    const events = takeFound(this.#app, this.#organization, this.#queue, this.cursor)
    if (events.length === 0) return
    this.#leave()
    this.#resolve(events)
  }

  end(error?: ApiError): void {
    this.#leave()
    if (error) this.#reject(error)
    else this.#resolve([])
  }

  /** Everything up to the position was looked at, and nothing was for this queue. */
  beat(): void {
    const id = Math.max(this.#organization.position, this.cursor)
    this.#leave()
    this.#queue.answeredTo = id
    this.#queue.scannedTo = id
    this.#resolve([{ id, json: `{"type":"heartbeat","id":${id}}` }])
  }

  #leave(): void {
    clearTimeout(this.#timer)
    if (this.#queue.listener !== this) return
    this.#queue.listener = undefined
    this.#organization.listening.delete(this.#queue)
  }
}

const beat = (poll: WaitingPoll) => poll.beat()
