import type { Pass } from './take-batches.ts'

/**
 * Tracks the outbox id up to which no row is left and none can appear. Scans start above it: while an old
 * snapshot is open elsewhere, PostgreSQL cannot vacuum the deleted rows, and a scan from the beginning would
 * visit all of them.
 *
 * The floor rises in three steps. A pass over the outbox records the newest assigned outbox id as a
 * candidate. The next pass takes a new transaction id; every transaction with an outbox id up to the
 * candidate has an older transaction id. Once no older transaction is running, a scan sees every row that
 * will ever exist up to the candidate, and the floor rises to it. The transaction id must be that of the
 * pass itself: a snapshot's xmax is only one past the newest transaction that has *ended*, and running
 * transactions may have larger ids.
 */
export class OutboxFloor {
  value: number
  #candidate: { id: number; xid: number | null } | undefined

  constructor(value: number) {
    this.value = value
  }

  /** Whether the next pass must assign a transaction id. No ids are used up while the outbox is idle. */
  get needsTransaction(): boolean {
    return this.#candidate?.xid === null
  }

  /** Updates the floor with the result of a pass. Must be called after every pass, in order. */
  observePass({ xmin, xid, newest, isLimited, highest }: Pass): void {
    const candidate = this.#candidate
    if (candidate?.xid === null) candidate.xid = xid
    else if (candidate && xmin >= candidate.xid) {
      // This pass saw all rows up to the candidate; if it was limited, it took the lowest ids.
      this.value = Math.max(this.value, isLimited ? Math.min(candidate.id, highest) : candidate.id)
      if (this.value >= candidate.id) this.#candidate = undefined
    }
    if (!this.#candidate && newest > this.value) this.#candidate = { id: newest, xid: null }
  }
}
