import type { Log } from '../../platform/log.ts'

/** Warned of at this share of the limit, and again only after it was below the lower one. */
const warnAbove = 0.75
const calmBelow = 0.7

/** Warns an operator before the event log becomes so large that events are dropped which queues still need. */
export class LogSize {
  readonly #limit: number
  readonly #log: Log
  #isWarned = false

  constructor(limit: number, log: Log) {
    this.#limit = limit
    this.#log = log
  }

  /** `bytes` is the size of the log now. */
  note(bytes: number): void {
    const share = bytes / this.#limit
    if (share < calmBelow) this.#isWarned = false
    if (share < warnAbove || this.#isWarned) return
    this.#isWarned = true
    this.#log.warn(
      { bytes, limit: this.#limit },
      'the event log fills most of events_log_limit_mb; when it is full, the oldest events are dropped, and queues that have not read them end: raise OXBOW_EVENTS_LOG_LIMIT_MB',
    )
  }

  /** `parts` were dropped while the log was this large, before their time where it was over the limit. */
  noteDropped(parts: readonly number[], bytes: number): void {
    if (parts.length === 0 || bytes <= this.#limit) return
    this.#log.error(
      { bytes, limit: this.#limit, parts: parts.length },
      'the event log was larger than events_log_limit_mb: its oldest events were dropped, and queues that had not read them ended',
    )
  }
}
