import { ApiError, type api, type ResponseOf } from '@oxbow/contract'
import { canMerge, mergeFlagEvents } from '../events/delivery/merge.ts'
import { noRecords, type Queue } from '../events/delivery/queue.ts'
import type { LoadedByRecord, RenderedEvent } from '../events/delivery/render.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { findHead } from '../events/log/read-log.ts'
import {
  maxEventsPerResponse,
  readOlderRecords,
  readRecentRecords,
  type ScanResult,
} from '../events/log/read-queue.ts'
import type { LogRecord } from '../events/record.ts'
import type { App } from '../platform/app.ts'
import { type InPieces, JsonText } from '../platform/pieces.ts'

export type Events = readonly RenderedEvent[]
export type PollResponse = InPieces<ResponseOf<typeof api.events.poll>>

/** Builds the response from serialized events. */
export function buildPollResponse({ id }: Queue, events: Events): PollResponse {
  const json = events.length === 1 ? events[0]?.json : events.map((event) => event.json).join()
  return { events: new JsonText([`[${json}]`]), queue_id: id }
}

/**
 * Returns the cursor to read from, for a client that has all events up to `lastEventId`. Throws if
 * the cursor is not valid, or if events after it are lost.
 */
export async function resolveCursor(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  lastEventId = queue.cut.seq,
): Promise<number> {
  const cursor = Math.max(lastEventId, queue.cut.seq)
  if (cursor > organization.position) await catchUpTo(app, organization, cursor)
  if (organization.hasMissedEvents(cursor)) throw deadQueueError(queue)
  return cursor
}

/** Reads the log up to a cursor that the client got from a node that was ahead of this one. */
async function catchUpTo(app: App, organization: OrganizationLog, cursor: number): Promise<void> {
  const head = await findHead(app.db, organization.id)
  // During a failover it is unknown whether the cursor is inside a hole.
  if (head.last_seq < cursor && head.isLineageIntact) throw new ApiError('EVENT_NOT_IN_QUEUE', { id: cursor })
  await app.events.log.catchUp(organization)
  // The events exist in PostgreSQL but could not be read.
  if (organization.position < cursor) throw new ApiError('SERVICE_UNAVAILABLE')
}

/**
 * Returns the queue's events after the cursor, at most as many as fit into one response. If the
 * result is empty, no event has arrived until the function returns, so a caller that starts to
 * listen without awaiting anything misses no event. Returns undefined if the queue was detached
 * during the read, because events might be missing; the caller must load the queue again.
 */
export async function readEvents(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
): Promise<Events | undefined> {
  for (let from = cursor; ; ) {
    const found =
      scanMemory(organization, queue, from) ?? (await readOlderRecords(app.db, organization, queue, from))
    const loading = app.events.renderer.load(organization.id, found.records)
    const loaded = loading instanceof Promise ? await loading : loading
    // The queue may have ended while the events were read.
    refuseIfEnded(organization, queue, found)
    if (queue.isDetached) return undefined
    const ready = takeRenderable(app, found, loaded)
    const events = buildEvents(app, queue, ready, from, loaded)
    if (events.length > 0 || ready.scannedTo >= organization.position) return events
    from = ready.scannedTo
  }
}

/**
 * Scans the records in memory. Returns undefined if some records after the cursor are not in
 * memory.
 */
function scanMemory(organization: OrganizationLog, queue: Queue, cursor: number): ScanResult | undefined {
  // A client that acknowledges the newest response has everything up to the end of that scan.
  const from = cursor >= queue.lastSentEventId ? Math.max(cursor, queue.scannedTo) : cursor
  if (from < organization.recentRecords.startsAfter) return undefined
  if (from < organization.position) return readRecentRecords(organization, queue, from)
  return { records: [], scannedTo: from, isEnded: false }
}

/**
 * Returns the queue's records if all of them are deferred, otherwise none. A large organization
 * nearly always has some deferred records, so a client that got them at once would poll in a tight
 * loop.
 */
export function findDeferredRecords(
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
): LogRecord[] {
  const found = scanMemory(organization, queue, cursor)
  if (!found || found.isEnded || found.scannedTo < organization.position) return noRecords
  return found.records.every(({ header }) => header.deferred) ? found.records : noRecords
}

/**
 * Takes the queue's pending records and renders them. If data must be loaded first, takes nothing
 * and returns a promise of the data.
 */
export function takePendingEvents(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
  loadedBefore: LoadedByRecord,
): Events | Promise<LoadedByRecord> {
  const found = { records: queue.pendingRecords, scannedTo: organization.position }
  const loaded = app.events.renderer.load(organization.id, found.records, loadedBefore)
  if (loaded instanceof Promise) return loaded
  const ready = takeRenderable(app, found, loaded)
  observeDelivery(app, ready.records)
  queue.pendingRecords = ready === found ? noRecords : found.records.slice(ready.records.length)
  return buildEvents(app, queue, ready, cursor, loaded)
}

/** Measures how long messages took until a client that waited for them gets them. */
export function observeDelivery({ events: { metrics } }: App, records: readonly LogRecord[]): void {
  for (const { header } of records) {
    // The clocks of two nodes may differ a little.
    if (header.sentAt !== undefined)
      metrics.messageDelivery.observe(Math.max(0, Date.now() - header.sentAt) / 1000)
  }
}

type Scanned = Pick<ScanResult, 'records' | 'scannedTo'>

/**
 * Limits the records to the ones that can be rendered with the loaded data, but at least one if
 * there are any.
 */
function takeRenderable(app: App, found: Scanned, loaded: LoadedByRecord): Scanned {
  const count = app.events.renderer.countReady(found.records, loaded)
  if (count === found.records.length) return found
  const records = found.records.slice(0, count)
  return { records, scannedTo: records.at(-1)?.seq ?? -1 }
}

function buildEvents(
  app: App,
  queue: Queue,
  { records, scannedTo }: Scanned,
  cursor: number,
  loaded: LoadedByRecord,
): Events {
  const all = render(app, queue, records, cursor, loaded)
  // One record can become thousands of events. The next poll continues inside the record.
  const isCut = all.length > maxEventsPerResponse
  const rendered = mergeUnsent(queue, records, cursor, isCut ? all.slice(0, maxEventsPerResponse) : all)
  const last = rendered.at(-1)
  queue.lastSentEventId = last?.id ?? cursor
  queue.scannedTo = isCut && last ? last.id : scannedTo
  if (last) saveHandedOut(queue, cursor, last.id)
  return rendered
}

function render(
  app: App,
  queue: Queue,
  records: readonly LogRecord[],
  cursor: number,
  loaded: LoadedByRecord,
): Events {
  const [first] = records
  if (!first) return []
  const { renderer } = app.events
  if (records.length === 1) return renderer.render(first, queue, cursor, loaded)
  return records.flatMap((record) => renderer.render(record, queue, cursor, loaded))
}

/** Merges flag changes. Events that were sent before are merged in the same way as then. */
function mergeUnsent(queue: Queue, records: readonly LogRecord[], cursor: number, events: Events): Events {
  if (records.length === 1 || !records.some(({ header }) => canMerge(header.type))) return events
  const isRepeated = cursor === queue.lastResponseCursor
  const lasts = isRepeated ? [...(queue.earlierResponseEventIds ?? []), queue.lastResponseEventId] : []
  const eventsByResponse = Map.groupBy(events, ({ id }) => lasts.findIndex((last) => id <= last))
  return [...eventsByResponse.values()].flatMap(mergeFlagEvents)
}

function saveHandedOut(queue: Queue, cursor: number, last: number): void {
  if (queue.lastResponseCursor !== cursor) {
    queue.lastResponseCursor = cursor
    queue.lastResponseEventId = last
    queue.earlierResponseEventIds = undefined
  } else if (last > queue.lastResponseEventId) {
    queue.earlierResponseEventIds = [...(queue.earlierResponseEventIds ?? []), queue.lastResponseEventId]
    queue.lastResponseEventId = last
  }
}

function refuseIfEnded(organization: OrganizationLog, queue: Queue, found: ScanResult): void {
  if (!found.isEnded && !queue.isEnded) return
  organization.endQueue(queue)
  throw deadQueueError(queue)
}

const deadQueueError = ({ id }: Queue) => new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: id })
