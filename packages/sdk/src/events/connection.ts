import { TransportError } from '../request.ts'

/**
 * One connection to the server. It ends with the signal it was made for, and when nothing is heard for too long: a
 * network may vanish without a word.
 */
export class Connection {
  readonly #own = new AbortController()
  readonly #silence: number
  readonly signal: AbortSignal

  constructor(silence: number, leaving?: AbortSignal) {
    this.#silence = silence
    this.signal = leaving ? AbortSignal.any([leaving, this.#own.signal]) : this.#own.signal
  }

  /** The time counts only while we wait, not while our consumer takes its time. */
  async hear<Value>(promise: Promise<Value>): Promise<Value> {
    const timer = setTimeout(() => {
      this.#own.abort(new TransportError('The server was silent for too long'))
    }, this.#silence)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    this.#own.abort()
  }
}
