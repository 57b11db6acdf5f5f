import type { ServerResponse } from 'node:http'
import { ApiError } from '@oxbow/contract'

/**
 * Counts the connections on which an account has a request under way, long-polls included, in this node's memory. A
 * client that opens more than the limit, or that does not read its answers, cannot take all of the node's memory.
 */
export class OpenRequests {
  readonly #limit: number
  readonly #counts = new Map<number, number>()

  /** 0 for no limit. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts a request until its answer has left or its client is gone; throws `TOO_MANY_CONNECTIONS` above the limit. */
  add(account: number, response: ServerResponse): void {
    const count = this.#counts.get(account) ?? 0
    if (this.#limit > 0 && count >= this.#limit)
      throw new ApiError('TOO_MANY_CONNECTIONS', { limit: this.#limit, 'retry-after': 1 })
    // A client that has left already is not heard to leave.
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
