import { setTimeout } from 'node:timers/promises'

interface Reading<Value> {
  begunAt: number
  value: Value
}

/** So many times as long as a reading took, none follows: a quarter of the time goes into it at most. */
const restFactor = 3
const longestRest = 3_000
/** How long the last reading is kept for those who are content with it. */
const keptFor = 2_000

/** Milliseconds, and waiting for some of them; tests hand in one that they move themselves. */
export interface Clock {
  now(): number
  wait(milliseconds: number): Promise<unknown>
}

const systemClock: Clock = { now: () => performance.now(), wait: (milliseconds) => setTimeout(milliseconds) }

/** One reading for all who want the same at about the same time; the longer it takes, the more share it. */
export class SharedList<Value> {
  readonly #read: () => Promise<Value>
  readonly #clock: Clock
  #last: Reading<Value> | undefined
  #underWay: Promise<unknown> = Promise.resolve()
  #restUntil = 0
  #next: Promise<Value> | undefined

  constructor(read: () => Promise<Value>, clock = systemClock) {
    this.#read = read
    this.#clock = clock
  }

  /** Returns a value whose reading began at `moment` or later, by the clock. */
  async readAfter(moment: number): Promise<Value> {
    if (this.#last && this.#last.begunAt >= moment) return this.#last.value
    this.#next ??= this.#readNext()
    return this.#next
  }

  async #readNext(): Promise<Value> {
    await this.#underWay.catch(() => {})
    const rest = this.#restUntil - this.#clock.now()
    if (rest > 0) await this.#clock.wait(rest)
    // Whoever asks after it began is not served by it.
    this.#next = undefined
    const reading = this.#readNow()
    this.#underWay = reading
    return reading
  }

  async #readNow(): Promise<Value> {
    const begunAt = this.#clock.now()
    const value = await this.#read()
    const endedAt = this.#clock.now()
    this.#restUntil = endedAt + Math.min((endedAt - begunAt) * restFactor, longestRest)
    const reading = { begunAt, value }
    this.#last = reading
    void setTimeout(keptFor, undefined, { ref: false }).then(() => {
      if (this.#last === reading) this.#last = undefined
    })
    return value
  }
}
