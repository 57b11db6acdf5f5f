import type { App } from '../../platform/app.ts'

/** What a transaction saw that looked in this order: at the newest id, took a transaction id, and looked which run. */
export interface Sighting {
  /** The newest message id that was given out. */
  newest: number
  /** The transaction's own id; null if it had one before it looked. */
  xid: number | null
  /** No transaction below this one was running. */
  xmin: number
  /** Another one after a standby took over: ids may then be given out again that were seen before. */
  timeline: string
}

/**
 * The largest id such that no message with that id or a smaller one can still appear. A number up to which someone has read
 * must never pass it: a message that is committed later would be read that nobody saw.
 *
 * Whoever sends has a transaction id before they take a message id. So whoever took one up to the newest that was seen has
 * an older transaction id than the one that was taken after looking; and once no older transaction runs any more, all
 * those messages are there or never will be. (See also `OutboxFloor`.) It is kept in memory, for the moments in which
 * some older one does run: what was settled once stays so.
 */
export class MessageHorizon {
  #settled = 0
  #timeline: string | undefined
  #noted: { newest: number; xid: number } | undefined

  /** Returns the horizon as it is known now. */
  learn({ newest, xid, xmin, timeline }: Sighting): number {
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

const horizons = new WeakMap<App, MessageHorizon>()

export function horizonOf(app: App): MessageHorizon {
  const horizon = horizons.get(app) ?? new MessageHorizon()
  horizons.set(app, horizon)
  return horizon
}
