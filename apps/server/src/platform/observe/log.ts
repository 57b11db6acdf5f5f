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
