/** Thrown if a queue accepts no further call of this account. */
export class QueueFullError extends Error {}

export interface FairQueueOptions {
  /** Maximum number of waiting calls of one account. */
  maxWaitingPerAccount: number
  /** Maximum number of waiting calls of all accounts. */
  maxWaiting: number
}

interface WaitingCall {
  start(): Promise<void>
  drop(): void
}

/**
 * Runs one call at a time and takes the accounts in turn, so that an account with much work does not delay
 * the others until all of it is done.
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

  /**
   * Runs the call when it is its turn. Throws `QueueFullError` if too many calls wait, or if the queue is
   * closed.
   */
  run<Result>(account: number, call: () => Promise<Result>): Promise<Result> {
    const calls = this.#waiting.get(account) ?? []
    const { maxWaitingPerAccount, maxWaiting } = this.#options
    if (this.#isClosed || calls.length >= maxWaitingPerAccount || this.#count >= maxWaiting)
      return Promise.reject(new QueueFullError())
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    calls.push({ start: () => call().then(resolve, reject), drop: () => reject(new QueueFullError()) })
    this.#waiting.set(account, calls)
    this.#count++
    this.#working ??= this.#work()
    return promise
  }

  /** Refuses further calls, rejects the waiting ones, and waits for the running one. */
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
    for (const [account, calls] of this.#waiting) {
      this.#waiting.delete(account)
      const call = calls.shift()
      if (calls.length > 0) this.#waiting.set(account, calls)
      if (call) this.#count--
      return call
    }
    return undefined
  }
}
