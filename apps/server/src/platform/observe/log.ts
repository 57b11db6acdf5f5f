import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/settings.ts'
import { textStream } from './log-text.ts'

export type Log = Logger

/**
 * Creates a log of JSON lines, or of readable text. Requests are logged by their route, never by URL, headers
 * or body, so the log contains no secrets that would have to be removed. JSON lines are buffered for at most
 * a second, because a write per line would cost a busy node as much as serving the request. The buffer is
 * flushed when the process exits.
 */
export function makeLog(
  { log_level: level, log_format }: Pick<Config, 'log_level' | 'log_format'>,
  destination?: DestinationStream,
): Log {
  const formatters = { level: (label: string) => ({ level: label }) }
  const options = { level, base: { pid: process.pid }, timestamp: isoTime, formatters }
  return pino(options, destination ?? standardOutput(log_format))
}

function standardOutput(format: Config['log_format']): DestinationStream {
  const isText = format === 'text' || (format === 'auto' && process.stdout.isTTY)
  if (isText) return textStream(process.stdout)
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 1_000 })
}

let lastMillisecond = 0
let lastTime = ''

/** Formats the time once per millisecond, because a busy node logs many lines per millisecond. */
function isoTime(): string {
  const now = Date.now()
  if (now !== lastMillisecond) {
    lastMillisecond = now
    lastTime = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastTime
}

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
