import { randomInt } from 'node:crypto'
import { YieldingQueue } from '../events/delivery/yielding-queue.ts'

/** Whoever waits for a heartbeat. */
export interface Beating {
  beat(): void
}

/** In milliseconds, and drawn for each poll, so that polls do not wake in step. */
const delay = { least: 45_000, most: 55_000 }
/** Polls that are due within the same moment are told together. */
const moment = 250

/** A client that asks for silence by its name. */
export function isExemptFromHeartbeats(client: string): boolean {
  return client === 'API: heartbeat test'
}

/**
 * Tells tens of thousands of polls when their time has come. They stand in sets, one for each moment: a timer of its
 * own for each of them would take several times the memory.
 */
class HeartbeatClock {
  readonly #due = new Map<number, Set<Beating>>()
  readonly #beat = new YieldingQueue<Beating>(
    (poll) => poll.beat(),
    // A poll answers for its own mistakes.
    () => {},
  )
  #timer: NodeJS.Timeout | undefined

  /** Returns what to give to `leave`. */
  join(poll: Beating): number {
    const due = Math.ceil((performance.now() + randomInt(delay.least, delay.most)) / moment)
    const polls = this.#due.get(due) ?? new Set()
    this.#due.set(due, polls.add(poll))
    this.#timer ??= setInterval(() => this.#tick(), moment)
    return due
  }

  leave(poll: Beating, due: number): void {
    const polls = this.#due.get(due)
    polls?.delete(poll)
    if (polls?.size === 0) this.#due.delete(due)
    if (this.#due.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    const now = performance.now() / moment
    for (const [due, polls] of this.#due) {
      if (due <= now) for (const poll of polls) this.#beat.add(poll)
    }
  }
}

export const heartbeats = new HeartbeatClock()
