import type { EventShape } from '../event-shape.ts'
import type { QueueOptions } from '../queue-options.ts'
import type { LogRecord } from '../record.ts'
import { parsedEvent } from './parsed-event.ts'
import type { Queue } from './queue.ts'

/** An event as it leaves: JSON with its id. */
export interface RenderedEvent {
  readonly id: number
  readonly json: string
}

/** Turns records into the events that queues get. Each is serialized once for each variant, not for each queue. */
export class EventRenderer {
  readonly #shapes: ReadonlyMap<string, EventShape>
  readonly #rendered = new WeakMap<LogRecord, Map<string, RenderedEvent[]>>()

  constructor(shapes: readonly EventShape[]) {
    this.#shapes = new Map(shapes.map((shape) => [shape.type, shape]))
  }

  /** The events with an id above `cursor`, which may stand inside a wide record. */
  render(record: LogRecord, { options, account }: Queue, cursor: number): RenderedEvent[] {
    const events = this.#variant(record, options)
    const own = ownFields(record, account.user_id)
    const wanted = record.width === 1 ? events : events.filter(({ id }) => id > cursor)
    return own === undefined ? wanted : wanted.map(({ id, json }) => ({ id, json: append(json, own) }))
  }

  #variant(record: LogRecord, options: QueueOptions): RenderedEvent[] {
    const shape = this.#shapes.get(record.header.type ?? '')
    const variant = shape?.variant(options) ?? ''
    const variants = this.#rendered.get(record) ?? new Map<string, RenderedEvent[]>()
    this.#rendered.set(record, variants)
    let rendered = variants.get(variant)
    if (!rendered) {
      const texts = shape
        ? shape.render(parsedEvent(record), variant).map((event) => JSON.stringify(event))
        : [record.event ?? '{}']
      // The last one has the record's own number.
      const first = record.seq - texts.length + 1
      rendered = texts.map((text, place) => withId(first + place, text))
      variants.set(variant, rendered)
    }
    return rendered
  }
}

function withId(id: number, json: string): RenderedEvent {
  return { id, json: `{"id":${id},${json.slice(1)}` }
}

/** What only this account gets: JSON of fields, or undefined. */
function ownFields({ header: { parts, flags } }: LogRecord, user: number): string | undefined {
  const part = parts?.[user]
  if (!part && !flags) return undefined
  const fields = { ...part, ...(flags && { flags: flags[user] ?? [] }) }
  return JSON.stringify(fields)
}

function append(json: string, fields: string): string {
  return fields === '{}' ? json : `${json.slice(0, -1)},${fields.slice(1)}`
}
