import { perNode } from '../../platform/per-node.ts'

/**
 * Values that one transaction read, in this order: the newest message id, its own new transaction
 * id, and the oldest running transaction.
 */
export interface HorizonObservation {
  /** The newest allocated message id. */
  newest: number
  /** The observing transaction's id; null if it was assigned before `newest` was read. */
  xid: number | null
  /** The smallest id among transactions that were still running. */
  xmin: number
  /**
   * The database's timeline. It changes when a standby is promoted; then message ids may be
   * allocated again.
   */
  timeline: string
}

/**
 * Tracks the horizon: the largest id such that no message with that id or a smaller one can still
 * appear. A read position must never pass the horizon; otherwise a message that is committed later
 * would be read although nobody has seen it.
 *
 * A sending transaction gets its transaction id before its message id. So every transaction that
 * sends a message up to the observed newest id is older than the observing transaction. Once no
 * older transaction runs, each of these messages either exists or never will. See also
 * `OutboxFloor`.
 *
 * The horizon is kept in memory, because it cannot be computed from one observation while an older
 * transaction runs. It never moves back within a timeline.
 */
export class MessageHorizon {
  #settled = 0
  #timeline: string | undefined
  #pending: { newest: number; xid: number } | undefined

  /** Updates the horizon from an observation and returns it. */
  observe({ newest, xid, xmin, timeline }: HorizonObservation): number {
    if (timeline !== this.#timeline) {
      this.#timeline = timeline
      this.#settled = 0
      this.#pending = undefined
    }
    this.#settleIfComplete(this.#pending, xmin)
    if (xid !== null) {
      const observation = { newest, xid }
      this.#settleIfComplete(observation, xmin)
      if (newest > this.#settled) this.#pending ??= observation
    }
    return this.#settled
  }

  #settleIfComplete(observation: { newest: number; xid: number } | undefined, xmin: number): void {
    if (!observation || xmin < observation.xid) return
    this.#settled = Math.max(this.#settled, observation.newest)
    if (this.#pending && this.#pending.newest <= this.#settled) this.#pending = undefined
  }
}

export const getHorizon = perNode({ name: 'message horizon', create: () => new MessageHorizon() })
