import type { OrganizationId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { EventShape, Loaded } from '../event-shape.ts'
import type { LogRecord } from '../record.ts'
import { parseEvent } from '../record.ts'
import { LoadedTextCache } from './loaded-text-cache.ts'
import { getFlags, noFlags } from './match.ts'
import type { Queue } from './queue.ts'

/** An event ready to be sent: JSON that includes its id. */
export interface RenderedEvent {
  readonly id: number
  readonly json: string
}

type Events = readonly RenderedEvent[]

/** Loaded data for records of one organization, by record number. */
export type LoadedByRecord = ReadonlyMap<number, Loaded>

export const nothingLoaded: LoadedByRecord = new Map()

/** Limit of the memory for loaded texts on a node. */
const maxCacheBytes = 32 * 1_048_576
/** Limits of one response: events and loaded texts may be large, so the client gets the rest with its next poll. */
const maxLoadsPerResponse = 20
const maxCharacters = 7_900_000

/**
 * Renders records into events. Each record is serialized once per variant, not once per queue. Call
 * `load` first, then `render` with its result; `load` returns a promise only if something must be
 * read from the database.
 */
export class EventRenderer {
  readonly #db: Db
  readonly #shapes: ReadonlyMap<string, EventShape>
  readonly #loaded: LoadedTextCache
  readonly #needNothing = new WeakSet<LogRecord>()
  /** Events that queues share, by record and variant. Events made from loaded texts are not cached. */
  readonly #rendered = new WeakMap<LogRecord, Map<string, Events>>()
  /**
   * Shared events with flags appended, by list of flags. Nearly all readers have the same list, which is
   * usually empty.
   */
  readonly #flagged = new WeakMap<Events, Map<readonly string[], Events>>()

  constructor(db: Db, shapes: readonly EventShape[], limit = maxCacheBytes) {
    this.#db = db
    this.#shapes = new Map(shapes.map((shape) => [shape.type, shape]))
    this.#loaded = new LoadedTextCache(limit)
  }

  /**
   * Returns the loaded data that is needed to render these records, for at most `maxLoadsPerResponse` of
   * them. Returns a promise only if something must be read. `loadedData` may be an earlier result, which is
   * reused even if the cache has evicted it.
   */
  load(
    organization_id: OrganizationId,
    records: readonly LogRecord[],
    loadedData: LoadedByRecord = nothingLoaded,
  ): LoadedByRecord | Promise<LoadedByRecord> {
    let needed: Map<number, Loaded | Promise<Loaded>> | undefined
    let isWhole = true
    for (const record of records) {
      const loaded = this.#isReady(record, loadedData)
        ? loadedData.get(record.seq)
        : this.#loadOne(organization_id, record)
      if (!loaded) continue
      needed ??= new Map()
      needed.set(record.seq, loaded)
      isWhole &&= !(loaded instanceof Promise)
      if (needed.size === maxLoadsPerResponse) break
    }
    if (!needed) return nothingLoaded
    return isWhole ? (needed as LoadedByRecord) : awaitAll(needed)
  }

  /**
   * Loads the data of one record. Returns undefined if the record needs no data, and records that in
   * `#needNothing`.
   */
  #loadOne(organization_id: OrganizationId, record: LogRecord): Loaded | Promise<Loaded> | undefined {
    const load = () => this.#shapeOf(record)?.load?.(this.#db, organization_id, record)
    // The cache key contains the number, because reading a record from the database again creates another
    // object.
    const loaded = this.#loaded.get(`${organization_id} ${record.seq}`, load)
    if (!loaded) this.#needNothing.add(record)
    return loaded
  }

  /**
   * Returns how many leading records can be rendered with `loadedData` and fit into one response; at least 1
   * if the first record is loaded.
   */
  countReady(records: readonly LogRecord[], loadedData: LoadedByRecord): number {
    let text = 0
    for (const [index, record] of records.entries()) {
      if (!this.#isReady(record, loadedData)) return index
      text += (record.event?.length ?? 0) + loadedCharacters(loadedData.get(record.seq))
      if (index > 0 && text > maxCharacters) return index
    }
    return records.length
  }

  #isReady(record: LogRecord, loadedData: LoadedByRecord): boolean {
    return !this.#shapeOf(record)?.load || this.#needNothing.has(record) || loadedData.has(record.seq)
  }

  #shapeOf({ header }: LogRecord): EventShape | undefined {
    return this.#shapes.get(header.type ?? '')
  }

  /**
   * Returns the record's events with an id above `cursor`, which may be between two events of the
   * same record.
   */
  render(
    record: LogRecord,
    queue: Queue,
    cursor: number,
    loadedData: LoadedByRecord = nothingLoaded,
  ): Events {
    if (!this.#isReady(record, loadedData))
      throw new Error(`record ${record.seq} is rendered before it is loaded`)
    const { options, account } = queue
    const shape = this.#shapeOf(record)
    const variant = shape?.variant(options) ?? ''
    const loaded = loadedData.get(record.seq)
    const part = accountFields(queue, record)
    const flags = getFlags(account, record)
    const readerFields = shape?.readerFields?.(account.user_id, loaded)
    if (part && shape?.renderForAccount) {
      const texts = shape.renderForAccount(parseEvent(record), part, variant, loaded)
      return appendFields(eventsAfter(cursor, addIds(record, texts)), {
        ...readerFields,
        ...(flags && { flags }),
      })
    }
    const shared = this.#shared(record, shape, variant, loaded)
    if (part || readerFields || (flags && isReaderSpecific(flags, record))) {
      return appendFields(eventsAfter(cursor, shared), { ...part, ...readerFields, ...(flags && { flags }) })
    }
    return eventsAfter(cursor, flags ? this.#withFlags(shared, flags) : shared)
  }

  #shared(
    record: LogRecord,
    shape: EventShape | undefined,
    variant: string,
    loaded: Loaded | undefined,
  ): Events {
    // These events are not cached: a record may stay in memory for long, and events made from loaded texts
    // may be large.
    if (loaded && shape && !shape.readerFields) {
      return addIds(record, renderShape(record, shape, variant, loaded))
    }
    const variants = this.#rendered.get(record) ?? new Map<string, Events>()
    this.#rendered.set(record, variants)
    let rendered = variants.get(variant)
    if (!rendered) {
      const texts = shape ? renderShape(record, shape, variant, undefined) : [record.event ?? '{}']
      rendered = addIds(record, texts)
      variants.set(variant, rendered)
    }
    return rendered
  }

  #withFlags(shared: Events, flags: readonly string[]): Events {
    const eventsByFlags = this.#flagged.get(shared) ?? new Map<readonly string[], Events>()
    this.#flagged.set(shared, eventsByFlags)
    let flagged = eventsByFlags.get(flags)
    if (!flagged) {
      flagged = appendFields(shared, { flags })
      eventsByFlags.set(flags, flagged)
    }
    return flagged
  }
}

const isReaderSpecific = (flags: readonly string[], { header }: LogRecord): boolean =>
  flags !== noFlags && flags !== header.flagsOfAll

/**
 * Returns the extra fields of this queue: those of its owner in `parts`, and `local_id` for the sender's
 * queue.
 */
function accountFields({ id, account }: Queue, { header: { parts, echo } }: LogRecord): object | undefined {
  const part = parts?.[account.user_id]
  if (!echo || echo.queue !== id || echo.user !== account.user_id) return part
  return { ...part, local_id: echo.local_id }
}

const sizes = new WeakMap<Loaded, number>()

/** Returns the length of the loaded texts, computed once per load because every queue needs it. */
function loadedCharacters(loaded: Loaded | undefined): number {
  if (!loaded) return 0
  let size = sizes.get(loaded)
  if (size === undefined) {
    size = 0
    for (const text of loaded.values()) size += text.length
    sizes.set(loaded, size)
  }
  return size
}

async function awaitAll(needed: ReadonlyMap<number, Loaded | Promise<Loaded>>): Promise<LoadedByRecord> {
  const loaded = await Promise.all(needed.values())
  return new Map([...needed.keys()].map((seq, index) => [seq, loaded[index] as Loaded]))
}

function renderShape(
  record: LogRecord,
  shape: EventShape,
  variant: string,
  loaded: Loaded | undefined,
): string[] {
  const events = shape.render(parseEvent(record), variant, loaded)
  return events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)))
}

/** Adds ids to the events, ending with the number of the record. */
function addIds({ seq }: LogRecord, texts: readonly string[]): Events {
  const first = seq - texts.length + 1
  return texts.map((text, index) => ({ id: first + index, json: `{"id":${first + index},${text.slice(1)}` }))
}

/** Returns the events after the cursor; returns `events` itself if all of them are after it. */
function eventsAfter(cursor: number, events: Events): Events {
  const [first] = events
  return first === undefined || first.id > cursor ? events : events.filter(({ id }) => id > cursor)
}

/** Appends fields to the JSON of each event. */
function appendFields(events: Events, extra: object): Events {
  const fields = JSON.stringify(extra)
  if (fields === '{}') return events
  return events.map(({ id, json }) => ({ id, json: `${json.slice(0, -1)},${fields.slice(1)}` }))
}
