import { setImmediate } from 'node:timers/promises'
import { narrowTooSlow } from '../read/read-narrowed.ts'

/**
 * How long a search may take, in milliseconds. Words that are common but never in the searched order need very many
 * statements, each of which is fast.
 */
const maxSearchMs = 10_000

/** Processor time for all comparisons of one request, in milliseconds. */
const maxProcessorMs = 1_000

/** How long messages are compared before other work of the node gets a turn, in milliseconds. */
const maxSliceMs = 10

/**
 * Compares messages with the queries of one request, which may take tens of milliseconds for a long message, and yields
 * to the event loop in between.
 */
export class Matcher {
  readonly #end: number
  #processorMs = 0
  #sliceEnd = 0

  /** A search is given up at `end`. */
  constructor(end = performance.now() + maxSearchMs) {
    this.#end = end
  }

  /** Processor time of all comparisons so far, in milliseconds. */
  get processorMs(): number {
    return this.#processorMs
  }

  /** Runs one comparison. Throws `NARROW_TOO_SLOW` if the request took too long. */
  async match<Result>(compare: () => Result): Promise<Result> {
    const now = performance.now()
    if (now > this.#end) throw narrowTooSlow(maxSearchMs / 1_000)
    if (this.processorMs > maxProcessorMs) throw narrowTooSlow(maxProcessorMs / 1_000)
    if (now > this.#sliceEnd) {
      await setImmediate()
      this.#sliceEnd = performance.now() + maxSliceMs
    }
    const before = process.threadCpuUsage()
    const result = compare()
    const { user, system } = process.threadCpuUsage(before)
    this.#processorMs += (user + system) / 1_000
    return result
  }
}
