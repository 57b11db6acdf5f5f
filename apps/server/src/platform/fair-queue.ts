/** Thrown if a queue takes no further work of this account. */
export class QueueFullError extends Error {}

export interface FairQueueOptions {
  /** Calls of one account that may wait. */
  maxWaitingPerAccount: number
  /** Calls of all accounts that may wait. */
  maxWaiting: number
}

interface WaitingCall {
  start(): Promise<void>
  drop(): void
}

/**
 * Runs one call at a time and takes the accounts in turn, so that an account with much work does not
 * keep others waiting for all of it.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** Waiting calls by account. The account whose turn is next comes first. */
  readonly #waiting = new Map<number, WaitingCall[]>()
  #count = 0
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  /** Runs the call when it is its turn. Throws `QueueFullError` if too many wait, and once closed. */
  run<Result>(account: number, call: () => Promise<Result>): Promise<Result> {
    const own = this.#waiting.get(account) ?? []
    const { maxWaitingPerAccount, maxWaiting } = this.#options
    if (this.#isClosed || own.length >= maxWaitingPerAccount || this.#count >= maxWaiting)
      return Promise.reject(new QueueFullError())
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    own.push({ start: () => call().then(resolve, reject), drop: () => reject(new QueueFullError()) })
    this.#waiting.set(account, own)
    this.#count++
    this.#working ??= this.#work()
    return promise
  }

  /** Takes no further calls, and waits for the one that is running. Calls that wait are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (let next = this.#take(); next; next = this.#take()) next.drop()
    await this.#working
  }

  async #work(): Promise<void> {
    for (let next = this.#take(); next; next = this.#take()) await next.start()
    this.#working = undefined
  }

  #take(): WaitingCall | undefined {
    for (const [account, own] of this.#waiting) {
      this.#waiting.delete(account)
      const call = own.shift()
      if (own.length > 0) this.#waiting.set(account, own)
      if (call) this.#count--
      return call
    }
    return undefined
  }
}
