import type { Log } from './log.ts'

export interface FailureTexts {
  /** Logged as a warning when the work begins to fail, and for every new reason until it succeeds. */
  failed: string
  /** Logged once the work succeeds again. */
  recovered: string
  /**
   * A success within this time after a failure does not count as recovery, since other calls may
   * still fail.
   */
  quietMs?: number
}

/** Further reasons are only counted, so that messages that are always different cannot fill the memory. */
const maxReasons = 20

/**
 * Logs when work that is retried begins to fail, with the reason, and when it succeeds again. Repeated
 * failures for the same reason are logged at debug level only.
 */
export class FailureLog {
  readonly #log: Log
  readonly #texts: FailureTexts
  readonly #reasons = new Set<string>()
  #count = 0
  #failedAt = 0
  #timer: NodeJS.Timeout | undefined

  constructor(log: Log, texts: FailureTexts) {
    this.#log = log
    this.#texts = texts
  }

  failed(err: unknown, details: object = {}): void {
    clearTimeout(this.#timer)
    const reason = reasonOf(err)
    const isNew = !this.#reasons.has(reason) && this.#reasons.size < maxReasons
    this.#count++
    this.#failedAt = performance.now()
    if (isNew) this.#reasons.add(reason)
    this.#log[isNew ? 'warn' : 'debug']({ ...details, err }, this.#texts.failed)
  }

  succeeded(): void {
    if (this.#count === 0) return
    if (performance.now() - this.#failedAt < (this.#texts.quietMs ?? 0)) return
    this.#log.info({ failures: this.#count }, this.#texts.recovered)
    this.#count = 0
    this.#reasons.clear()
  }

  /**
   * Reports a success unless something fails within this time; for sessions that may break right after they
   * open.
   */
  succeedsAfter(milliseconds: number): void {
    if (this.#count === 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.succeeded(), milliseconds)
    this.#timer.unref()
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return code ?? message ?? String(error)
}
