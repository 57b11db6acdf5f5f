import type { Queue } from './queue.ts'
import type { YieldingQueue } from './yielding-queue.ts'

/**
 * The delay before a round grows by this much per listener, up to `maxDelayMs`, so a node wakes about a
 * thousand queues per second.
 */
const delayPerListenerMs = 1
const maxDelayMs = 20_000

/**
 * Wakes all queues with deferred records together, in rounds. Both the cost of a round and the delay before
 * it grow with the number of queues, so rounds always take about the same share of the node's time.
 */
export class DeferredWakeups {
  readonly #wakeQueue: YieldingQueue<Queue>
  readonly #countListeners: () => number
  #queues = new Set<Queue>()
  #timer: NodeJS.Timeout | undefined

  constructor(wakeQueue: YieldingQueue<Queue>, countListeners: () => number) {
    this.#wakeQueue = wakeQueue
    this.#countListeners = countListeners
  }

  add(queue: Queue): void {
    this.#queues.add(queue)
    this.#timer ??= setTimeout(
      () => this.#run(),
      Math.min(this.#countListeners() * delayPerListenerMs, maxDelayMs),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #run(): void {
    this.#timer = undefined
    const queues = this.#queues
    this.#queues = new Set()
    for (const queue of queues) this.#wakeQueue.add(queue)
  }
}
