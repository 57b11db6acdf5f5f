import type { LogRecord } from '../record.ts'

const parsed = new WeakMap<LogRecord, Readonly<Record<string, unknown>>>()

/** The event as an object. Most records are never parsed: their text is passed on. */
export function parsedEvent(record: LogRecord): Readonly<Record<string, unknown>> {
  let event = parsed.get(record)
  if (!event) {
    event = JSON.parse(record.event ?? '{}') as Record<string, unknown>
    parsed.set(record, event)
  }
  return event
}
