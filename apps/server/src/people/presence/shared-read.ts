import { setTimeout } from 'node:timers/promises'

interface CompletedRead<Value> {
  begunAt: number
  value: Value
}

/**
 * After a read, the next one starts only after this many times the duration of the read. So reading
 * takes at most a quarter of the time.
 */
const restFactor = 3
const maxRestMs = 3_000
/** Time for which the last result is kept for callers that accept it. */
const retentionMs = 2_000

/** A clock in milliseconds; tests pass one that they control. */
export interface Clock {
  now(): number
  wait(milliseconds: number): Promise<unknown>
}

const systemClock: Clock = { now: () => performance.now(), wait: (milliseconds) => setTimeout(milliseconds) }

/**
 * Shares one read among callers that request the same value at about the same time. The longer a
 * read takes, the more callers share it.
 */
export class SharedRead<Value> {
  readonly #read: () => Promise<Value>
  readonly #clock: Clock
  #last: CompletedRead<Value> | undefined
  #underWay: Promise<unknown> = Promise.resolve()
  #restUntil = 0
  #next: Promise<Value> | undefined

  constructor(read: () => Promise<Value>, clock = systemClock) {
    this.#read = read
    this.#clock = clock
  }

  /** Returns a value whose read started at `moment` (a time of the clock) or later. */
  async readAfter(moment: number): Promise<Value> {
    if (this.#last && this.#last.begunAt >= moment) return this.#last.value
    this.#next ??= this.#readNext()
    return this.#next
  }

  async #readNext(): Promise<Value> {
    await this.#underWay.catch(() => {})
    const rest = this.#restUntil - this.#clock.now()
    if (rest > 0) await this.#clock.wait(rest)
    // A caller that arrives after this read has started must wait for a later one.
    this.#next = undefined
    const reading = this.#readNow()
    this.#underWay = reading
    return reading
  }

  async #readNow(): Promise<Value> {
    const begunAt = this.#clock.now()
    const value = await this.#read()
    const endedAt = this.#clock.now()
    this.#restUntil = endedAt + Math.min((endedAt - begunAt) * restFactor, maxRestMs)
    const reading = { begunAt, value }
    this.#last = reading
    void setTimeout(retentionMs, undefined, { ref: false }).then(() => {
      if (this.#last === reading) this.#last = undefined
    })
    return value
  }
}
