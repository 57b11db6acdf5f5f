import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config/settings.ts'
import { textStream } from './log-text.ts'

export type Log = Logger

/**
 * Makes a log of one JSON line for each entry, or of readable text. Requests are logged by their route and never by their
 * URL, headers or body, so there is nothing to redact. JSON lines are gathered for at most a second: a write for each would
 * cost a busy node as much as answering. The rest is written when the process exits.
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

/** A busy node logs many lines in the same millisecond. */
function isoTime(): string {
  const now = Date.now()
  if (now !== lastMillisecond) {
    lastMillisecond = now
    lastTime = `,"time":"${new Date(now).toISOString()}"`
  }
  return lastTime
}
