import type { Pass } from './take-batches.ts'

/**
 * Tracks the outbox id up to which no row is left and none can appear. Scans start above it: while
 * an old snapshot is open elsewhere, PostgreSQL cannot vacuum the rows we deleted, and a scan from
 * the beginning would visit all of them.
 *
 * The floor rises in three steps. A pass notes the newest assigned outbox id as a candidate. The
 * next pass takes a new transaction id; every transaction that holds an outbox id up to the
 * candidate has an older one. Once no older transaction is running, a scan sees every row that will
 * ever exist up to the candidate, and the floor rises to it. The transaction id must be our own: a
 * snapshot's xmax is only one past the newest transaction that has *ended*, and running
 * transactions may have larger ids.
 */
export class OutboxFloor {
  value: number
  #candidate: { id: number; xid: number | null } | undefined

  constructor(value: number) {
    this.value = value
  }

  /** Whether the next pass must assign a transaction id. None is spent while the outbox is idle. */
  get needsTransaction(): boolean {
    return this.#candidate?.xid === null
  }

  /** Must be called after every pass, in order. */
  observePass({ xmin, xid, newest, isLimited, highest }: Pass): void {
    const noted = this.#candidate
    if (noted?.xid === null) noted.xid = xid
    else if (noted && xmin >= noted.xid) {
      // This pass saw all rows up to the candidate; if it was limited, it took the lowest ids.
      this.value = Math.max(this.value, isLimited ? Math.min(noted.id, highest) : noted.id)
      if (this.value >= noted.id) this.#candidate = undefined
    }
    if (!this.#candidate && newest > this.value) this.#candidate = { id: newest, xid: null }
  }
}
