import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import type { Log } from '../platform/observe/log.ts'
import { FailureLog } from '../platform/observe/log.ts'
import type { Queue } from './delivery/queue.ts'
import { emit } from './emit.ts'
import type { EventLog } from './log/event-log.ts'
import type { EventMetrics } from './metrics.ts'
import { deleteExpiredQueues, maxExpiredPerBatch, saveQueuePolls } from './queue-rows.ts'

export interface QueueKeeperOptions {
  db: Db
  eventLog: EventLog
  metrics: EventMetrics
  log: Log
  lifespanSeconds: number
  /**
   * Returns the time since which this node is the sequencer; undefined if it is not. Only the sequencer's
   * node expires queues.
   */
  sequencerSince: () => number | undefined
}

/** A queue that was not polled on this node for this long is removed from its memory. */
const idleAfterMs = 60_000

/**
 * Periodically saves when queues were polled, in batches, and deletes queues that were not polled for their
 * lifespan.
 */
export class QueueKeeper {
  readonly #options: QueueKeeperOptions
  readonly #failures: FailureLog
  readonly #intervalMs: number
  readonly #graceMs: number
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> = Promise.resolve()
  #isWorking = false
  #lastExpiry = 0

  constructor(options: QueueKeeperOptions) {
    this.#options = options
    this.#failures = new FailureLog(options.log, {
      failed: 'poll times of event queues could not be saved, nor queues expired; will be retried',
      recovered: 'poll times of event queues are saved again',
    })
    this.#intervalMs = Math.min(15_000, options.lifespanSeconds * 200)
    // After an outage of PostgreSQL, clients have a minute to poll before their queues expire.
    this.#graceMs = Math.min(60_000, options.lifespanSeconds * 1_000)
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
    }, this.#intervalMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#working
    await this.#savePolls().catch((err: unknown) =>
      this.#options.log.warn({ err }, 'the last poll times were not saved; some queues may expire early'),
    )
  }

  async #work(): Promise<void> {
    await this.#savePolls()
    this.#options.eventLog.sweep(idleAfterMs)
    const { sequencerSince } = this.#options
    const since = sequencerSince()
    const now = performance.now()
    if (since === undefined || now - since < this.#graceMs || now - this.#lastExpiry < this.#graceMs) return
    this.#lastExpiry = now
    await this.#expire()
  }

  /**
   * Saves poll times of all queues polled since their last save. The save is repeated until the queue's row
   * was updated.
   */
  async #savePolls(): Promise<void> {
    const { db, eventLog, metrics } = this.#options
    const now = performance.now()
    const polled: { queue: Queue; age: number }[] = []
    let [queues, listening, oldestMs] = [0, 0, 0]
    for (const organization of eventLog.organizations.values()) {
      queues += organization.queues.size
      listening += organization.listening.size
      for (const queue of organization.queues.values()) {
        if (queue.listener || queue.openStreamCount > 0) queue.seenAt = now
        oldestMs = Math.max(oldestMs, now - queue.seenAt)
        if (queue.seenAt > queue.savedAt) polled.push({ queue, age: (now - queue.seenAt) / 1_000 })
      }
    }
    metrics.queues.set(queues)
    metrics.polls.set(listening)
    metrics.oldestPoll.set(oldestMs / 1_000)
    for (let start = 0; start < polled.length; start += 5_000) {
      const batch = polled.slice(start, start + 5_000)
      const saved = new Set(
        await saveQueuePolls(
          db,
          batch.map(({ queue, age }) => ({ id: queue.id, age })),
        ),
      )
      for (const { queue } of batch) if (saved.has(queue.id)) queue.savedAt = now
    }
  }

  async #expire(): Promise<void> {
    let count: number
    do {
      count = await inTransaction(this.#options.db, async (tx) => {
        const queues = await deleteExpiredQueues(tx)
        for (const [organization_id, expired] of Map.groupBy(queues, (queue) => queue.organization_id)) {
          emit(tx, { organization_id, effects: [{ kind: 'queues', ended: expired.map(({ id }) => id) }] })
        }
        return queues.length
      })
    } while (count >= maxExpiredPerBatch)
  }
}
