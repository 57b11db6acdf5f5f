import { Semaphore } from '../semaphore.ts'
import { OutboundRefusal } from './outbound-refusal.ts'

interface Entry {
  semaphore: Semaphore
  users: number
}

/**
 * Limits concurrent calls for each key. Refuses a call, with the reason `busy`, if too many wait for the same
 * key.
 */
export class KeyedSemaphore {
  readonly #entries = new Map<string, Entry>()
  readonly #maxConcurrent: number
  readonly #maxWaiting: number

  constructor({ maxConcurrent, maxWaiting }: { maxConcurrent: number; maxWaiting: number }) {
    this.#maxConcurrent = maxConcurrent
    this.#maxWaiting = maxWaiting
  }

  get size(): number {
    return this.#entries.size
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const entry = this.#entries.get(key) ?? {
      semaphore: new Semaphore({ maxConcurrent: this.#maxConcurrent }),
      users: 0,
    }
    if (entry.semaphore.countWaiting() >= this.#maxWaiting) throw new OutboundRefusal('busy')
    this.#entries.set(key, entry)
    entry.users++
    try {
      return await entry.semaphore.run(work)
    } finally {
      if (--entry.users === 0) this.#entries.delete(key)
    }
  }
}
