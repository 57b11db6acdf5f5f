export interface SemaphoreOptions {
  /** Maximum number of calls that run at the same time. */
  maxConcurrent: number
  /** Number of slots that only privileged calls may use; none by default. */
  reservedForPrivileged?: number
}

class Lane {
  running = 0
  readonly waiting: (() => void)[] = []
}

/**
 * Limits how many calls run at the same time; further calls wait in order, and privileged calls come first.
 */
export class Semaphore {
  readonly #maxConcurrent: number
  readonly #reserved: number
  readonly #privileged = new Lane()
  readonly #others = new Lane()

  constructor({ maxConcurrent, reservedForPrivileged = 0 }: SemaphoreOptions) {
    this.#maxConcurrent = maxConcurrent
    this.#reserved = reservedForPrivileged
  }

  /** Returns the number of privileged or other calls that are waiting. */
  countWaiting({ isPrivileged } = { isPrivileged: true }): number {
    return this.#laneOf(isPrivileged).waiting.length
  }

  async run<Result>(work: () => Promise<Result>, { isPrivileged } = { isPrivileged: true }): Promise<Result> {
    const lane = this.#laneOf(isPrivileged)
    if (lane.waiting.length === 0 && this.#isFree(lane)) lane.running++
    else await new Promise<void>((begin) => lane.waiting.push(begin))
    try {
      return await work()
    } finally {
      lane.running--
      this.#startNext()
    }
  }

  #laneOf(isPrivileged: boolean): Lane {
    return isPrivileged ? this.#privileged : this.#others
  }

  #isFree(lane: Lane): boolean {
    if (this.#privileged.running + this.#others.running >= this.#maxConcurrent) return false
    return lane === this.#privileged || lane.running < this.#maxConcurrent - this.#reserved
  }

  #startNext(): void {
    for (const lane of [this.#privileged, this.#others]) {
      while (this.#isFree(lane)) {
        const begin = lane.waiting.shift()
        if (!begin) break
        lane.running++
        begin()
      }
    }
  }
}
