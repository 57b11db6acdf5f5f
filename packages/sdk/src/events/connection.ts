import { TransportError } from '../request.ts'

/**
 * One connection to the server, as an abort signal. It is aborted by the given signals, or if the
 * server sends nothing for too long, because a network may fail without closing connections.
 */
export class Connection {
  readonly #controller = new AbortController()
  readonly #maxSilenceMs: number
  readonly signal: AbortSignal

  constructor(maxSilenceMs: number, ...ends: AbortSignal[]) {
    this.#maxSilenceMs = maxSilenceMs
    this.signal = AbortSignal.any([...ends, this.#controller.signal])
  }

  /**
   * Waits for the server. Silence is measured only during this call, not while the consumer
   * processes events.
   */
  async waitFor<Value>(promise: Promise<Value>): Promise<Value> {
    const timer = setTimeout(() => {
      this.close(new TransportError('The server was silent for too long'))
    }, this.#maxSilenceMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  close(reason?: unknown): void {
    this.#controller.abort(reason)
  }
}
