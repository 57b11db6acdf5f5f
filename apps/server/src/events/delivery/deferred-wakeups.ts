import type { Queue } from './queue.ts'
import type { YieldingQueue } from './yielding-queue.ts'

/**
 * The delay grows with the listeners, so a node wakes about a thousand queues a second, up to
 * `maxDelayMs`.
 */
const delayPerListenerMs = 1
const maxDelayMs = 20_000

/**
 * Wakes queues for deferred records in rounds, all together. The cost of a round grows with the
 * number of queues, and so does the delay before it, so rounds take the same share of the node's
 * time for any number of queues.
 */
export class DeferredWakeups {
  readonly #wake: YieldingQueue<Queue>
  readonly #countListening: () => number
  #queues = new Set<Queue>()
  #timer: NodeJS.Timeout | undefined

  constructor(wake: YieldingQueue<Queue>, countListening: () => number) {
    this.#wake = wake
    this.#countListening = countListening
  }

  add(queue: Queue): void {
    this.#queues.add(queue)
    this.#timer ??= setTimeout(
      () => this.#run(),
      Math.min(this.#countListening() * delayPerListenerMs, maxDelayMs),
    )
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #run(): void {
    this.#timer = undefined
    const queues = this.#queues
    this.#queues = new Set()
    for (const queue of queues) this.#wake.add(queue)
  }
}
