import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { FailureLog } from '../platform/failure-log.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from './delivery/queue.ts'
import { emit } from './emit.ts'
import type { EventLog } from './log/event-log.ts'
import type { EventMetrics } from './metrics.ts'
import { deleteExpiredQueues, mostExpired, touchQueues } from './queue-rows.ts'

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
  readonly #failures: FailureLog
  readonly #every: number
  readonly #grace: number
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #isWorking = false
  #lastExpiry = 0

  constructor(options: QueueKeeperOptions) {
    this.#options = options
    this.#failures = new FailureLog(options.log, {
      failed: 'polls of queues could not be noted, nor queues expired',
      recovered: 'polls of queues are noted again',
    })
    this.#every = Math.min(15_000, options.lifespanSeconds * 200)
    // After PostgreSQL was away, polls have a minute to be seen before anything expires.
    this.#grace = Math.min(60_000, options.lifespanSeconds * 1_000)
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#isWorking) return
      this.#isWorking = true
      this.#working = this.#work()
        .then(
          () => this.#failures.succeeded(),
          (err: unknown) => this.#failures.failed(err),
        )
        .finally(() => {
          this.#isWorking = false
        })
    }, this.#every)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#working
    await this.#touch().catch((err: unknown) =>
      this.#options.log.warn({ err }, 'the last polls of queues were not noted; some may expire early'),
    )
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

  /** A queue is asked about until it was noted that it was polled since it was noted last. */
  async #touch(): Promise<void> {
    const { db, eventLog, metrics } = this.#options
    const now = performance.now()
    const polled: { queue: Queue; age: number }[] = []
    let [queues, listening] = [0, 0]
    for (const organization of eventLog.organizations.values()) {
      queues += organization.queues.size
      listening += organization.listening.size
      for (const queue of organization.queues.values()) {
        if (queue.listener || queue.streams > 0) queue.seenAt = now
        if (queue.seenAt > queue.notedAt) polled.push({ queue, age: (now - queue.seenAt) / 1_000 })
      }
    }
    metrics.queues.set(queues)
    metrics.polls.set(listening)
    for (let start = 0; start < polled.length; start += 5_000) {
      const some = polled.slice(start, start + 5_000)
      const noted = new Set(
        await touchQueues(
          db,
          some.map(({ queue, age }) => ({ id: queue.id, age })),
        ),
      )
      for (const { queue } of some) if (noted.has(queue.id)) queue.notedAt = now
    }
  }

  async #expire(): Promise<void> {
    let count: number
    do {
      count = await inTransaction(this.#options.db, async (tx) => {
        const queues = await deleteExpiredQueues(tx)
        for (const [organization_id, some] of Map.groupBy(queues, (queue) => queue.organization_id)) {
          emit(tx, { organization_id, effects: [{ kind: 'queues', ended: some.map(({ id }) => id) }] })
        }
        return queues.length
      })
    } while (count >= mostExpired)
  }
}
