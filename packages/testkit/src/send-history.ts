import type { Acknowledgement, Send } from './senders.ts'

/** A period in which acknowledged messages may have been lost, in milliseconds of `performance.now`. */
export interface Loss {
  from: number
  to: number
}

/** All sends of a fleet, each with the number of stored messages that the last check found. */
export class SendHistory {
  readonly sends: Send[] = []
  readonly losses: Loss[] = []
  readonly #found = new Map<Send, number>()

  unchecked(): Send[] {
    return this.sends.filter((send) => !this.#found.has(send))
  }

  /**
   * Returns the number of messages that the last check found, or undefined if the send was not
   * checked yet.
   */
  countBefore(send: Send): number | undefined {
    return this.#found.get(send)
  }

  /** Records the number of messages that a check found. */
  setCount(send: Send, count: number): void {
    this.#found.set(send, count)
  }

  /** Returns whether an acknowledged message may have been lost with a database. */
  mayBeLost({ askedAt, respondedAt }: Acknowledgement): boolean {
    return this.losses.some(({ from, to }) => respondedAt >= from && askedAt <= to)
  }
}
