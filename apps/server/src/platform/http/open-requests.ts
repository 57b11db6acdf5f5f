import type { ServerResponse } from 'node:http'
import { ApiError } from '@oxbow/contract'

/**
 * Counts the open requests of each account on this node, including long polls. Bounds the memory
 * that a client can take by opening many connections or by not reading responses.
 */
export class OpenRequests {
  readonly #limit: number
  readonly #counts = new Map<number, number>()

  /** A limit of 0 means no limit. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /**
   * Counts a request until its response was sent or its client disconnects; throws
   * `TOO_MANY_CONNECTIONS`.
   */
  add(account: number, response: ServerResponse): void {
    const count = this.#counts.get(account) ?? 0
    if (this.#limit > 0 && count >= this.#limit)
      throw new ApiError('TOO_MANY_CONNECTIONS', { limit: this.#limit, 'retry-after': 1 })
    // A client that has already disconnected causes no further `close` event.
    if (response.destroyed) return
    this.#counts.set(account, count + 1)
    response.once('close', () => this.#remove(account))
  }

  #remove(account: number): void {
    const count = this.#counts.get(account) ?? 0
    if (count <= 1) this.#counts.delete(account)
    else this.#counts.set(account, count - 1)
  }
}
