import type { InTurns } from './in-turns.ts'
import type { Queue } from './queue.ts'

/** A node wakes about a thousand queues a second for what can wait, and lets nobody wait longer than some seconds. */
const perListener = 1
const longest = 20_000

/**
 * Wakes queues for what concerns everyone and can wait, all together: the more there are, the rarer. What a round costs
 * grows with the queues, and so does the time until the next; so it is the same share of the node for any number.
 */
export class Rounds {
  readonly #wake: InTurns<Queue>
  readonly #countListening: () => number
  #queues = new Set<Queue>()
  #timer: NodeJS.Timeout | undefined

  constructor(wake: InTurns<Queue>, countListening: () => number) {
    this.#wake = wake
    this.#countListening = countListening
  }

  add(queue: Queue): void {
    this.#queues.add(queue)
    this.#timer ??= setTimeout(() => this.#run(), Math.min(this.#countListening() * perListener, longest))
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
