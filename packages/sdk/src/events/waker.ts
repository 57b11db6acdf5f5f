/** The reason with which `reconnect` aborts a connection. */
export const reconnectRequested = Symbol('reconnect requested')

/** Ends waits and connections early, from outside of the loop that follows events. */
export class Waker {
  readonly #waits = new Set<() => void>()
  #connections = new AbortController()

  /** Aborted with `reconnectRequested` when connections must be reopened. */
  get signal(): AbortSignal {
    return this.#connections.signal
  }

  /** Ends all current waits. */
  wake(): void {
    for (const end of this.#waits) end()
  }

  /** Ends all current waits, and all connections that were opened with `signal`. */
  reconnect(): void {
    const connections = this.#connections
    this.#connections = new AbortController()
    connections.abort(reconnectRequested)
    this.wake()
  }

  /** Resolves after the time, when woken, or when the signal is aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = () => resolve()
    const timer = setTimeout(end, milliseconds)
    this.#waits.add(end)
    signal.addEventListener('abort', end)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waits.delete(end)
      signal.removeEventListener('abort', end)
    })
  }
}
