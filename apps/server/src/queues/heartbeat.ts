import { randomInt } from 'node:crypto'
import { YieldingQueue } from '../events/delivery/yielding-queue.ts'

/** A waiting poll that gets a heartbeat when it is due. */
export interface HeartbeatTarget {
  sendHeartbeat(): void
}

/** Drawn at random for each poll, so that polls do not wake at the same time. */
const delayMs = { min: 45_000, max: 55_000 }
/** Polls that are due within this time share a timer tick. */
const resolutionMs = 250

/** Whether this client asked by its name to get no heartbeats. */
export function isExemptFromHeartbeats(client: string): boolean {
  return client === 'API: heartbeat test'
}

/**
 * Sends heartbeats to tens of thousands of polls. Polls are kept in one set per tick, because a
 * timer for each would take several times the memory.
 */
class HeartbeatClock {
  readonly #due = new Map<number, Set<HeartbeatTarget>>()
  readonly #beat = new YieldingQueue<HeartbeatTarget>(
    (poll) => poll.sendHeartbeat(),
    // A poll rejects its own request on errors.
    () => {},
  )
  #timer: NodeJS.Timeout | undefined

  /** Schedules one heartbeat and returns the token for `cancel`. */
  schedule(poll: HeartbeatTarget): number {
    const due = Math.ceil((performance.now() + randomInt(delayMs.min, delayMs.max)) / resolutionMs)
    const polls = this.#due.get(due) ?? new Set()
    this.#due.set(due, polls.add(poll))
    this.#timer ??= setInterval(() => this.#tick(), resolutionMs)
    return due
  }

  cancel(poll: HeartbeatTarget, due: number): void {
    const polls = this.#due.get(due)
    polls?.delete(poll)
    if (polls?.size === 0) this.#due.delete(due)
    if (this.#due.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    const now = performance.now() / resolutionMs
    for (const [due, polls] of this.#due) {
      if (due <= now) for (const poll of polls) this.#beat.add(poll)
    }
  }
}

export const heartbeats = new HeartbeatClock()
