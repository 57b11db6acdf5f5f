import { ApiError, type api, type ResponseOf } from '@oxbow/contract'
import { canMerge, mergeFlagEvents } from '../events/delivery/merge.ts'
import { noRecords, type Queue } from '../events/delivery/queue.ts'
import type { LoadedByRecord, RenderedEvent } from '../events/delivery/render.ts'
import type { OrganizationLog } from '../events/log/organization-log.ts'
import { findHead } from '../events/log/read-log.ts'
import {
  maxEventsPerResponse,
  readBeforeWindow,
  readWindow,
  type ScanResult,
} from '../events/log/read-queue.ts'
import type { LogRecord } from '../events/record.ts'
import type { App } from '../platform/app.ts'
import { type InPieces, JsonText } from '../platform/pieces.ts'

export type Events = readonly RenderedEvent[]
export type PollAnswer = InPieces<ResponseOf<typeof api.events.poll>>

export function answerOf({ id }: Queue, events: Events): PollAnswer {
  const json = events.length === 1 ? events[0]?.json : events.map((event) => event.json).join()
  return { events: new JsonText([`[${json}]`]), queue_id: id }
}

/** Where a client that has everything up to `given` reads on; refuses cursors that nobody can have. */
export async function startOf(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  given = queue.cut.seq,
): Promise<number> {
  const cursor = Math.max(given, queue.cut.seq)
  if (cursor > organization.position) await catchUpTo(app, organization, cursor)
  if (organization.hasMissedEvents(cursor)) throw deadQueue(queue)
  return cursor
}

/** The client may have been elsewhere, on a node that is ahead of this one. */
async function catchUpTo(app: App, organization: OrganizationLog, cursor: number): Promise<void> {
  const head = await findHead(app.db, organization.id)
  // In the middle of a failover nobody can tell yet whether the cursor is in what was lost.
  if (head.last_seq < cursor && head.isLineageIntact) throw new ApiError('EVENT_NOT_IN_QUEUE', { id: cursor })
  await app.events.log.catchUp(organization)
  // PostgreSQL has it and did not let us read it.
  if (organization.position < cursor) throw new ApiError('SERVICE_UNAVAILABLE')
}

/**
 * Returns everything after the cursor that is there now. When it is empty, nothing came until the very moment it returns.
 * Returns undefined where the queue was detached while something was read: what was found may lack events.
 */
export async function lookFor(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
): Promise<Events | undefined> {
  for (let from = cursor; ; ) {
    const found =
      lookInMemory(organization, queue, from) ?? (await readBeforeWindow(app.db, organization, queue, from))
    const loading = app.events.renderer.load(organization.id, found.records)
    const held = loading instanceof Promise ? await loading : loading
    // Also if it ended while something was read.
    refuseIfEnded(organization, queue, found)
    if (queue.isDetached) return undefined
    const ready = readyOf(app, found, held)
    const events = compose(app, queue, ready, from, held)
    if (events.length > 0 || ready.scannedTo >= organization.position) return events
    from = ready.scannedTo
  }
}

/** Undefined where memory does not reach back far enough. */
function lookInMemory(organization: OrganizationLog, queue: Queue, cursor: number): ScanResult | undefined {
  // Whoever acknowledges what they were sent last is known to have everything that was looked at then.
  const from = cursor >= queue.answeredTo ? Math.max(cursor, queue.scannedTo) : cursor
  if (from < organization.window.startsAfter) return undefined
  if (from < organization.position) return readWindow(organization, queue, from)
  return { records: [], scannedTo: from, isEnded: false }
}

/**
 * What is there for the queue, if all of it can wait for the next round. In a large organization something of the kind
 * is there nearly always, so a client that was just answered with it would ask again and again without a pause.
 */
export function findUnhurried(organization: OrganizationLog, queue: Queue, cursor: number): LogRecord[] {
  const found = lookInMemory(organization, queue, cursor)
  if (!found || found.isEnded || found.scannedTo < organization.position) return noRecords
  return found.records.every(({ header }) => header.deferred) ? found.records : noRecords
}

/** What came while someone listened; or a promise of what it needs, and then nothing is taken yet. */
export function takeFound(
  app: App,
  organization: OrganizationLog,
  queue: Queue,
  cursor: number,
  given: LoadedByRecord,
): Events | Promise<LoadedByRecord> {
  const found = { records: queue.pendingRecords, scannedTo: organization.position }
  const held = app.events.renderer.load(organization.id, found.records, given)
  if (held instanceof Promise) return held
  const ready = readyOf(app, found, held)
  queue.pendingRecords = ready === found ? noRecords : found.records.slice(ready.records.length)
  return compose(app, queue, ready, cursor, held)
}

type Scanned = Pick<ScanResult, 'records' | 'scannedTo'>

/** As much of it, from the first record on, as can be rendered with what is held; at least one record, if there are any. */
function readyOf(app: App, found: Scanned, held: LoadedByRecord): Scanned {
  const count = app.events.renderer.countReady(found.records, held)
  if (count === found.records.length) return found
  const records = found.records.slice(0, count)
  return { records, scannedTo: records.at(-1)?.seq ?? -1 }
}

function compose(
  app: App,
  queue: Queue,
  { records, scannedTo }: Scanned,
  cursor: number,
  held: LoadedByRecord,
): Events {
  const all = render(app, queue, records, cursor, held)
  // A wide record may be thousands of events. The next poll reads on from inside it.
  const isCut = all.length > maxEventsPerResponse
  const rendered = merge(queue, records, cursor, isCut ? all.slice(0, maxEventsPerResponse) : all)
  const last = rendered.at(-1)
  queue.answeredTo = last?.id ?? cursor
  queue.scannedTo = isCut && last ? last.id : scannedTo
  if (last) noteHandedOut(queue, cursor, last.id)
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

/** What was handed out once is handed out the same way again. */
function merge(queue: Queue, records: readonly LogRecord[], cursor: number, events: Events): Events {
  if (records.length === 1 || !records.some(({ header }) => canMerge(header.type))) return events
  const isRepeated = cursor === queue.handedOutAfter
  const lasts = isRepeated ? [...(queue.earlierHandedOutTo ?? []), queue.handedOutTo] : []
  const answers = Map.groupBy(events, ({ id }) => lasts.findIndex((last) => id <= last))
  return [...answers.values()].flatMap(mergeFlagEvents)
}

function noteHandedOut(queue: Queue, cursor: number, last: number): void {
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
  throw deadQueue(queue)
}

const deadQueue = ({ id }: Queue) => new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: id })
