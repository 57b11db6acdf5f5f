import type { Pass } from './take-batches.ts'

/**
 * The outbox id at and below which no row is left or can appear. Scans begin above it: while some old snapshot is open
 * elsewhere, PostgreSQL cannot remove the rows we deleted, and a scan from the beginning would walk over all of them.
 *
 * To raise it, note the newest id given out, then the first transaction id that was not given out yet. Whoever took an
 * id up to the former has a transaction id below the latter, so once none of those transactions runs any more, a scan
 * sees every row there will ever be up to the noted id.
 */
export class OutboxFloor {
  value: number
  #noted: { id: number; xmax?: number } | undefined

  constructor(value: number) {
    this.value = value
  }

  /** After each pass. True when the floor rose. */
  learn({ xmin, xmax, newest, isLimited, highest }: Pass): boolean {
    const before = this.value
    if (this.#noted) {
      const { id, xmax: limit = xmax } = this.#noted
      this.#noted.xmax = limit
      if (xmin >= limit) {
        // This pass saw all rows up to the noted id; if it could not take them all, it took them in order.
        this.value = Math.max(this.value, isLimited ? Math.min(id, highest) : id)
        if (!isLimited || highest >= id) this.#noted = undefined
      }
    }
    // Read after the pass's snapshot, so only the next pass's transaction ids are certain to lie above it.
    this.#noted ??= { id: newest }
    return this.value > before
  }
}
