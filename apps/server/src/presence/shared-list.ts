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

/** One reading for all who want the same at about the same time; the longer it takes, the more share it. */
export class SharedList<Value> {
  readonly #read: () => Promise<Value>
  #last: Reading<Value> | undefined
  #underWay: Promise<unknown> = Promise.resolve()
  #restUntil = 0
  #next: Promise<Value> | undefined

  constructor(read: () => Promise<Value>) {
    this.#read = read
  }

  /** Something that was read after this moment, by `performance.now()`. */
  async readAfter(moment: number): Promise<Value> {
    if (this.#last && this.#last.begunAt >= moment) return this.#last.value
    this.#next ??= this.#readNext()
    return this.#next
  }

  async #readNext(): Promise<Value> {
    await this.#underWay.catch(() => {})
    const rest = this.#restUntil - performance.now()
    if (rest > 0) await setTimeout(rest)
    // Whoever asks after it began is not served by it.
    this.#next = undefined
    const reading = this.#readNow()
    this.#underWay = reading
    return reading
  }

  async #readNow(): Promise<Value> {
    const begunAt = performance.now()
    const value = await this.#read()
    const endedAt = performance.now()
    this.#restUntil = endedAt + Math.min((endedAt - begunAt) * restFactor, longestRest)
    const reading = { begunAt, value }
    this.#last = reading
    void setTimeout(keptFor, undefined, { ref: false }).then(() => {
      if (this.#last === reading) this.#last = undefined
    })
    return value
  }
}
