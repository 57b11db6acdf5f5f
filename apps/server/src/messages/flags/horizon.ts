import { perNode } from '../../platform/per-node.ts'

/**
 * An observation of a transaction, made in this order: the newest message id, then its own new
 * transaction id, then the running transactions.
 */
export interface HorizonObservation {
  /** The newest allocated message id. */
  newest: number
  /** The transaction's id; null where it had one before it read `newest`. */
  xid: number | null
  /** No transaction with a smaller id was running. */
  xmin: number
  /** Changes when a standby is promoted, after which message ids may be allocated again. */
  timeline: string
}

/**
 * Tracks the horizon: the largest id such that no message with that id or a smaller one can still
 * appear. A read position must never pass it, or a message that is committed later would count as
 * read although nobody saw it.
 *
 * A sender has a transaction id before it takes a message id. So the sender of any message up to
 * the observed newest id has a smaller transaction id than the one taken after the observation, and
 * once no older transaction runs, all those messages exist or never will. (See also `OutboxFloor`.)
 * The horizon is kept in memory for moments in which an older transaction runs: it never moves
 * back.
 */
export class MessageHorizon {
  #settled = 0
  #timeline: string | undefined
  #noted: { newest: number; xid: number } | undefined

  /** Returns the horizon as known after this observation. */
  observe({ newest, xid, xmin, timeline }: HorizonObservation): number {
    if (timeline !== this.#timeline) {
      this.#timeline = timeline
      this.#settled = 0
      this.#noted = undefined
    }
    this.#settleIfOver(this.#noted, xmin)
    if (xid !== null) {
      const sighted = { newest, xid }
      this.#settleIfOver(sighted, xmin)
      if (newest > this.#settled) this.#noted ??= sighted
    }
    return this.#settled
  }

  #settleIfOver(noted: { newest: number; xid: number } | undefined, xmin: number): void {
    if (!noted || xmin < noted.xid) return
    this.#settled = Math.max(this.#settled, noted.newest)
    if (this.#noted && this.#noted.newest <= this.#settled) this.#noted = undefined
  }
}

export const getHorizon = perNode({ name: 'message horizon', create: () => new MessageHorizon() })
