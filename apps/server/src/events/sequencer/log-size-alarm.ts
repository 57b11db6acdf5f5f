import type { Log } from '../../platform/observe/log.ts'

/**
 * Fractions of the size limit. A warning is logged above `warnAbove`, and again only after the size was
 * below `resetBelow`.
 */
const warnAbove = 0.75
const resetBelow = 0.7

/**
 * Warns the operator before the event log becomes so large that events are dropped although queues still need
 * them.
 */
export class LogSizeAlarm {
  readonly #limit: number
  readonly #log: Log
  #isWarned = false

  constructor(limit: number, log: Log) {
    this.#limit = limit
    this.#log = log
  }

  /** Logs a warning if `bytes`, the current size of the log, is close to the limit. */
  checkSize(bytes: number): void {
    const share = bytes / this.#limit
    if (share < resetBelow) this.#isWarned = false
    if (share < warnAbove || this.#isWarned) return
    this.#isWarned = true
    this.#log.warn(
      { bytes, limit: this.#limit },
      'the event log fills most of events_log_limit_mb; when it is full, the oldest events are dropped, and queues that have not read them end: raise OXBOW_EVENTS_LOG_LIMIT_MB',
    )
  }

  /** Logs an error if `parts` were dropped because the log exceeded its limit; `bytes` was its size. */
  reportDropped(parts: readonly number[], bytes: number): void {
    if (parts.length === 0 || bytes <= this.#limit) return
    this.#log.error(
      { bytes, limit: this.#limit, parts: parts.length },
      'the event log was larger than events_log_limit_mb: its oldest events were dropped, and queues that had not read them ended',
    )
  }
}
