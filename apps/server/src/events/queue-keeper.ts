import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { Log } from '../platform/log.ts'
import { emit } from './emit.ts'
import type { EventLog } from './log/event-log.ts'
import type { EventMetrics } from './metrics.ts'
import { deleteExpiredQueues, touchQueues } from './queue-rows.ts'

export interface QueueKeeperOptions {
  db: Db
  eventLog: EventLog
  metrics: EventMetrics
  log: Log
  lifespanSeconds: number
  /** When this node became the sequencer, if it is: one node is enough to expire queues. */
  leadsSince: () => number | undefined
}

/** A queue that was not polled here for this long leaves this node's memory. */
const idleAfter = 60_000

/** Writes down which queues were polled, for all of them at once, and ends those that nobody polls any more. */
export class QueueKeeper {
  readonly #options: QueueKeeperOptions
  readonly #every: number
  readonly #grace: number
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #lastTouch = Number.NEGATIVE_INFINITY
  #lastExpiry = 0

  constructor(options: QueueKeeperOptions) {
    this.#options = options
    this.#every = Math.min(15_000, options.lifespanSeconds * 200)
    // After PostgreSQL was away, polls have a minute to be seen before anything expires.
    this.#grace = Math.min(60_000, options.lifespanSeconds * 1_000)
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#working = this.#work().catch((err) => {
        this.#options.log.debug({ err }, 'queues could not be looked after; the next time will do')
      })
    }, this.#every)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#working
    await this.#touch().catch(() => {})
  }

  async #work(): Promise<void> {
    await this.#touch()
    this.#options.eventLog.sweep(idleAfter)
    const { leadsSince } = this.#options
    const since = leadsSince()
    const now = performance.now()
    if (since === undefined || now - since < this.#grace || now - this.#lastExpiry < this.#grace) return
    this.#lastExpiry = now
    await this.#expire()
  }

  async #touch(): Promise<void> {
    const { db, eventLog, metrics } = this.#options
    const started = performance.now()
    const polled: string[] = []
    let [queues, listening] = [0, 0]
    for (const organization of eventLog.organizations.values()) {
      queues += organization.queues.size
      listening += organization.listening.size
      for (const queue of organization.queues.values()) {
        if (queue.listener || queue.seenAt >= this.#lastTouch) polled.push(queue.id)
      }
    }
    metrics.queues.set(queues)
    metrics.polls.set(listening)
    for (let start = 0; start < polled.length; start += 5_000) {
      await touchQueues(db, polled.slice(start, start + 5_000))
    }
    this.#lastTouch = started
  }

  async #expire(): Promise<void> {
    await inTransaction(this.#options.db, async (tx) => {
      const expired = Map.groupBy(await deleteExpiredQueues(tx), ({ organization_id }) => organization_id)
      for (const [organization_id, queues] of expired) {
        emit(tx, { organization_id, effects: [{ kind: 'queues', ended: queues.map(({ id }) => id) }] })
      }
    })
  }
}
