import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * One JSON line for each entry. Requests are logged by their endpoint and never by their URL, headers or body, so
 * there is nothing to redact. Lines are gathered for at most a second: a write for each would cost a busy node as much
 * as answering. Whatever is left is written when the process exits.
 */
export function makeLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: { pid: process.pid }, timestamp: isoTime }
  return pino(
    options,
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 1_000 }),
  )
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
