import type { Queue } from './queue.ts'
import type { YieldingQueue } from './yielding-queue.ts'

/**
 * The delay before a round is this long for each listener, so a node wakes about a thousand queues
 * a second. It is limited to `maxDelayMs`.
 */
const delayPerListenerMs = 1
const maxDelayMs = 20_000

/**
 * Wakes all queues with deferred records together, in rounds. The cost of a round grows with the
 * number of queues, and so does the delay before it, so rounds take the same share of the node's
 * time for any number of queues.
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
