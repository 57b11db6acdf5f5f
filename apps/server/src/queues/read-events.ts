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

/** Builds the response from already serialized events. */
export function buildPollResponse({ id }: Queue, events: Events): PollResponse {
  const json = events.length === 1 ? events[0]?.json : events.map((event) => event.json).join()
  return { events: new JsonText([`[${json}]`]), queue_id: id }
}

/**
 * Returns the cursor to read from, for a client that has all events up to `lastEventId`. Refuses
 * impossible and dead cursors.
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

/** Catches up to a cursor that the client got from a node ahead of this one. */
async function catchUpTo(app: App, organization: OrganizationLog, cursor: number): Promise<void> {
  const head = await findHead(app.db, organization.id)
  // During a failover it is not known yet whether the cursor is inside a hole.
  if (head.last_seq < cursor && head.isLineageIntact) throw new ApiError('EVENT_NOT_IN_QUEUE', { id: cursor })
  await app.events.log.catchUp(organization)
  // The events exist in PostgreSQL and could not be read.
  if (organization.position < cursor) throw new ApiError('SERVICE_UNAVAILABLE')
}

/**
 * Returns the queue's events after the cursor, at most one response full. If the result is empty,
 * no event had arrived at the moment of the return: a caller that listens without awaiting anything
 * first misses none. Returns undefined if the queue was detached during the read, because the
 * result might lack events; the caller loads the queue again.
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
    const held = loading instanceof Promise ? await loading : loading
    // The queue may have ended during the read.
    refuseIfEnded(organization, queue, found)
    if (queue.isDetached) return undefined
    const ready = takeRenderable(app, found, held)
    const events = buildEvents(app, queue, ready, from, held)
    if (events.length > 0 || ready.scannedTo >= organization.position) return events
    from = ready.scannedTo
  }
}

/** Scans the records in memory; undefined if some records after the cursor are not in memory. */
function scanMemory(organization: OrganizationLog, queue: Queue, cursor: number): ScanResult | undefined {
  // A client that acknowledges the newest response lacks nothing that was scanned for it.
  const from = cursor >= queue.lastSentEventId ? Math.max(cursor, queue.scannedTo) : cursor
  if (from < organization.recentRecords.startsAfter) return undefined
  if (from < organization.position) return readRecentRecords(organization, queue, from)
  return { records: [], scannedTo: from, isEnded: false }
}

/**
 * Returns the queue's records if all of them are deferred, else none. A large organization nearly
 * always has some, so a client that got them at once would poll in a tight loop.
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
 * Takes the queue's pending records and renders them; or returns a promise of the data they need,
 * and takes nothing.
 */
export function takePendingEvents(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
  loadedBefore: LoadedByRecord,
): Events | Promise<LoadedByRecord> {
  const found = { records: queue.pendingRecords, scannedTo: organization.position }
  const held = app.events.renderer.load(organization.id, found.records, loadedBefore)
  if (held instanceof Promise) return held
  const ready = takeRenderable(app, found, held)
  queue.pendingRecords = ready === found ? noRecords : found.records.slice(ready.records.length)
  return buildEvents(app, queue, ready, cursor, held)
}

type Scanned = Pick<ScanResult, 'records' | 'scannedTo'>

/** Limits the records to those that can be rendered with `held`; at least one, if there are any. */
function takeRenderable(app: App, found: Scanned, held: LoadedByRecord): Scanned {
  const count = app.events.renderer.countReady(found.records, held)
  if (count === found.records.length) return found
  const records = found.records.slice(0, count)
  return { records, scannedTo: records.at(-1)?.seq ?? -1 }
}

function buildEvents(
  app: App,
  queue: Queue,
  { records, scannedTo }: Scanned,
  cursor: number,
  held: LoadedByRecord,
): Events {
  const all = render(app, queue, records, cursor, held)
  // One record may be thousands of events. The next poll continues inside it.
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
  held: LoadedByRecord,
): Events {
  const [first] = records
  if (!first) return []
  const { renderer } = app.events
  if (records.length === 1) return renderer.render(first, queue, cursor, held)
  return records.flatMap((record) => renderer.render(record, queue, cursor, held))
}

/** Merges flag changes, but events that were sent before are merged the same way again. */
function mergeUnsent(queue: Queue, records: readonly LogRecord[], cursor: number, events: Events): Events {
  if (records.length === 1 || !records.some(({ header }) => canMerge(header.type))) return events
  const isRepeated = cursor === queue.handedOutAfter
  const lasts = isRepeated ? [...(queue.earlierHandedOutTo ?? []), queue.handedOutTo] : []
  const eventsByResponse = Map.groupBy(events, ({ id }) => lasts.findIndex((last) => id <= last))
  return [...eventsByResponse.values()].flatMap(mergeFlagEvents)
}

function saveHandedOut(queue: Queue, cursor: number, last: number): void {
  if (queue.handedOutAfter !== cursor) {
    queue.handedOutAfter = cursor
    queue.handedOutTo = last
    queue.earlierHandedOutTo = undefined
  } else if (last > queue.handedOutTo) {
    queue.earlierHandedOutTo = [...(queue.earlierHandedOutTo ?? []), queue.handedOutTo]
    queue.handedOutTo = last
  }
}

function refuseIfEnded(organization: OrganizationLog, queue: Queue, found: ScanResult): void {
  if (!found.isEnded && !queue.isEnded) return
  organization.endQueue(queue)
  throw deadQueueError(queue)
}

const deadQueueError = ({ id }: Queue) => new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: id })
