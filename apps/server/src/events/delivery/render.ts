import type { OrganizationId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { EventShape, Loaded } from '../event-shape.ts'
import type { LogRecord } from '../record.ts'
import { LoadedTexts } from './loaded-texts.ts'
import { flagsFor, noFlags } from './match.ts'
import { parsedEvent } from './parsed-event.ts'
import type { Queue } from './queue.ts'

/** An event as it leaves: JSON with its id. */
export interface RenderedEvent {
  readonly id: number
  readonly json: string
}

type Events = readonly RenderedEvent[]

/** What was loaded for records of one organization, by their numbers. */
export type Held = ReadonlyMap<number, Loaded>

export const nothingHeld: Held = new Map()

/** For all that is loaded on a node. */
const mostKept = 32 * 1_048_576
/** For one answer: each may be large, and the client asks for the rest at once. */
const mostLoads = 20
const mostLoadedText = 8 * 1_048_576

/**
 * Turns records into the events that queues get. Each is serialized once for each variant, not for each queue. Only
 * what must be loaded first takes a promise: `load`, then `render` with what it returned.
 */
export class EventRenderer {
  readonly #db: Db
  readonly #shapes: ReadonlyMap<string, EventShape>
  readonly #loaded: LoadedTexts
  readonly #needNothing = new WeakSet<LogRecord>()
  /** By their variants; of records of which nothing is made of loaded texts. */
  readonly #rendered = new WeakMap<LogRecord, Map<string, Events>>()
  /** What is kept, with flags that are not one reader's own: nearly all have the same, mostly none. */
  readonly #flagged = new WeakMap<Events, Map<readonly string[], Events>>()

  constructor(db: Db, shapes: readonly EventShape[], limit = mostKept) {
    this.#db = db
    this.#shapes = new Map(shapes.map((shape) => [shape.type, shape]))
    this.#loaded = new LoadedTexts(limit)
  }

  /**
   * What rendering these records needs, or the first of them if it is much; a promise only if something must be read.
   * `held` is what the caller was given before: it counts, whatever else is no longer kept.
   */
  load(
    organization_id: OrganizationId,
    records: readonly LogRecord[],
    held: Held = nothingHeld,
  ): Held | Promise<Held> {
    let needed: Map<number, Loaded | Promise<Loaded>> | undefined
    let isWhole = true
    for (const record of records) {
      const loaded = this.#isReady(record, held)
        ? held.get(record.seq)
        : this.#loadOne(organization_id, record)
      if (!loaded) continue
      needed ??= new Map()
      needed.set(record.seq, loaded)
      isWhole &&= !(loaded instanceof Promise)
      if (needed.size === mostLoads) break
    }
    if (!needed) return nothingHeld
    return isWhole ? (needed as Held) : allOf(needed)
  }

  /** Undefined where the record needs nothing, which is noted. */
  #loadOne(organization_id: OrganizationId, record: LogRecord): Loaded | Promise<Loaded> | undefined {
    const load = () => this.#shapeOf(record)?.load?.(this.#db, organization_id, record)
    // By its number, because a record that is read from the database again is another object.
    const loaded = this.#loaded.get(`${organization_id} ${record.seq}`, load)
    if (!loaded) this.#needNothing.add(record)
    return loaded
  }

  /** How many of these, from the first on, can be rendered with what is held and are not too much for one answer. */
  countReady(records: readonly LogRecord[], held: Held): number {
    let text = 0
    for (const [index, record] of records.entries()) {
      if (!this.#isReady(record, held)) return index
      text += sizeOf(held.get(record.seq))
      if (index > 0 && text > mostLoadedText) return index
    }
    return records.length
  }

  #isReady(record: LogRecord, held: Held): boolean {
    return !this.#shapeOf(record)?.load || this.#needNothing.has(record) || held.has(record.seq)
  }

  #shapeOf({ header }: LogRecord): EventShape | undefined {
    return this.#shapes.get(header.type ?? '')
  }

  /** The events with an id above `cursor`, which may stand inside a wide record. */
  render(record: LogRecord, queue: Queue, cursor: number, held: Held = nothingHeld): Events {
    if (!this.#isReady(record, held)) throw new Error(`record ${record.seq} is rendered before it is loaded`)
    const { options, account } = queue
    const shape = this.#shapeOf(record)
    const variant = shape?.variant(options) ?? ''
    const loaded = held.get(record.seq)
    const part = partFor(queue, record)
    const flags = flagsFor(account, record)
    const own = shape?.ownFields?.(account.user_id, loaded)
    if (part && shape?.renderPart) {
      const texts = shape.renderPart(parsedEvent(record), part, variant, loaded)
      return withFields(after(cursor, numbered(record, texts)), { ...own, ...(flags && { flags }) })
    }
    const shared = this.#shared(record, shape, variant, loaded)
    if (part || own || (flags && isOwn(flags, record))) {
      return withFields(after(cursor, shared), { ...part, ...own, ...(flags && { flags }) })
    }
    return after(cursor, flags ? this.#withFlags(shared, flags) : shared)
  }

  #shared(
    record: LogRecord,
    shape: EventShape | undefined,
    variant: string,
    loaded: Loaded | undefined,
  ): Events {
    // A record may stay in memory for long, and what is made of loaded texts may be large.
    if (loaded && shape && !shape.ownFields) {
      return numbered(record, renderShape(record, shape, variant, loaded))
    }
    const variants = this.#rendered.get(record) ?? new Map<string, Events>()
    this.#rendered.set(record, variants)
    let rendered = variants.get(variant)
    if (!rendered) {
      const texts = shape ? renderShape(record, shape, variant, undefined) : [record.event ?? '{}']
      rendered = numbered(record, texts)
      variants.set(variant, rendered)
    }
    return rendered
  }

  #withFlags(shared: Events, flags: readonly string[]): Events {
    const kept = this.#flagged.get(shared) ?? new Map<readonly string[], Events>()
    this.#flagged.set(shared, kept)
    let flagged = kept.get(flags)
    if (!flagged) {
      flagged = withFields(shared, { flags })
      kept.set(flags, flagged)
    }
    return flagged
  }
}

const isOwn = (flags: readonly string[], { header }: LogRecord): boolean =>
  flags !== noFlags && flags !== header.flagsOfAll

/** What is for this queue beside what all get: its owner's part, and the id by which it knows its own message. */
function partFor({ id, account }: Queue, { header: { parts, echo } }: LogRecord): object | undefined {
  const part = parts?.[account.user_id]
  if (!echo || echo.queue !== id || echo.user !== account.user_id) return part
  return { ...part, local_id: echo.local_id }
}

const sizes = new WeakMap<Loaded, number>()

/** Asked for by every queue, and there may be a text for each of them. */
function sizeOf(loaded: Loaded | undefined): number {
  if (!loaded) return 0
  let size = sizes.get(loaded)
  if (size === undefined) {
    size = 0
    for (const text of loaded.values()) size += text.length
    sizes.set(loaded, size)
  }
  return size
}

async function allOf(needed: ReadonlyMap<number, Loaded | Promise<Loaded>>): Promise<Held> {
  const loaded = await Promise.all(needed.values())
  return new Map([...needed.keys()].map((seq, place) => [seq, loaded[place] as Loaded]))
}

function renderShape(
  record: LogRecord,
  shape: EventShape,
  variant: string,
  loaded: Loaded | undefined,
): string[] {
  const events = shape.render(parsedEvent(record), variant, loaded)
  return events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
}

/** The last one has the record's own number. */
function numbered({ seq }: LogRecord, texts: readonly string[]): Events {
  const first = seq - texts.length + 1
  return texts.map((text, place) => ({ id: first + place, json: `{"id":${first + place},${text.slice(1)}` }))
}

/** Without a copy for those who have none of them yet. */
function after(cursor: number, events: Events): Events {
  const [first] = events
  return first === undefined || first.id > cursor ? events : events.filter(({ id }) => id > cursor)
}

/** What only this account gets, beside what all get. */
function withFields(events: Events, own: object): Events {
  const fields = JSON.stringify(own)
  if (fields === '{}') return events
  return events.map(({ id, json }) => ({ id, json: `${json.slice(0, -1)},${fields.slice(1)}` }))
}
