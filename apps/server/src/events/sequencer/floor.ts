import type { Pass } from './take-batches.ts'

/**
 * The outbox id at and below which no row is left or can appear. Scans begin above it: while some old snapshot is open
 * elsewhere, PostgreSQL cannot remove the rows we deleted, and a scan from the beginning would walk over all of them.
 *
 * To raise it, note the newest id given out, and then take a new transaction id. Whoever took an outbox id up to the
 * noted one has an older transaction id, so once no older transaction runs any more, a scan sees every row there will
 * ever be up to the noted id. It must be a transaction of our own: the upper bound of a snapshot is only one past the
 * newest transaction that has *ended*, and there may be running ones above it.
 */
export class OutboxFloor {
  value: number
  #noted: { id: number; xid: number | null } | undefined

  constructor(value: number) {
    this.value = value
  }

  /** Whether the next pass must have a transaction id; none is spent while nothing happens. */
  get needsTransaction(): boolean {
    return this.#noted?.xid === null
  }

  /** After each pass. */
  learn({ xmin, xid, newest, isLimited, highest }: Pass): void {
    const noted = this.#noted
    if (noted?.xid === null) noted.xid = xid
    else if (noted && xmin >= noted.xid) {
      // This pass saw all rows up to the noted id; if it could not take them all, it took them in order.
      this.value = Math.max(this.value, isLimited ? Math.min(noted.id, highest) : noted.id)
      if (this.value >= noted.id) this.#noted = undefined
    }
    if (!this.#noted && newest > this.value) this.#noted = { id: newest, xid: null }
  }
}
