import type { LogRecord } from '../record.ts'

const parsed = new WeakMap<LogRecord, Readonly<Record<string, unknown>>>()

/**
 * Returns the event as an object, parsed once per record. Most records are never parsed: their text
 * is sent as it is.
 */
export function parseEvent(record: LogRecord): Readonly<Record<string, unknown>> {
  let event = parsed.get(record)
  if (!event) {
    event = JSON.parse(record.event ?? '{}') as Record<string, unknown>
    parsed.set(record, event)
  }
  return event
}
