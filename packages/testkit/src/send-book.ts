import type { Acknowledgement, Send } from './senders.ts'

/** From when to when what was acknowledged may have been lost, as of `performance.now`. */
export interface Loss {
  from: number
  to: number
}

/** What was sent in all, and what the last check found of it. */
export class SendBook {
  readonly sends: Send[] = []
  readonly losses: Loss[] = []
  readonly #found = new Map<Send, number>()

  unchecked(): Send[] {
    return this.sends.filter((send) => !this.#found.has(send))
  }

  /** How many messages there were of a send that was checked before. */
  countBefore(send: Send): number | undefined {
    return this.#found.get(send)
  }

  note(send: Send, count: number): void {
    this.#found.set(send, count)
  }

  mayBeLost({ askedAt, answeredAt }: Acknowledgement): boolean {
    return this.losses.some(({ from, to }) => answeredAt >= from && askedAt <= to)
  }
}
